package io.heatshield.web.http;

import java.util.concurrent.atomic.LongAdder;

/**
 * What the HTTP door did: counts of effects, read by the metrics.
 *
 * <p>Any thread may read or raise them. A reader may miss raises of the same moment; none is lost.
 */
public final class HttpCounters {
  private final LongAdder[] byClass = new LongAdder[6];
  private final LongAdder rejectedConnections = new LongAdder();
  private final LongAdder timeouts = new LongAdder();
  private final LongAdder badRequests = new LongAdder();
  private final LongAdder adminRefusals = new LongAdder();
  private final LongAdder connections = new LongAdder();
  private final LongAdder streams = new LongAdder();
  private final LongAdder streamDrops = new LongAdder();
  private final LongAdder streamRejects = new LongAdder();

  /** Creates counters that stand at zero. */
  public HttpCounters() {
    for (int i = 0; i < byClass.length; i++) {
      byClass[i] = new LongAdder();
    }
  }

  /**
   * Returns the responses begun whose status is in one class.
   *
   * @param statusClass the first digit of the status, 1 to 5
   */
  public long responses(int statusClass) {
    if (statusClass < 1 || statusClass > 5) {
      throw new IllegalArgumentException("statusClass must be from 1 to 5: " + statusClass);
    }
    return byClass[statusClass].sum();
  }

  /** Returns the connections open now. */
  public long connections() {
    return connections.sum();
  }

  /** Returns the connections refused because as many as allowed were open. */
  public long rejectedConnections() {
    return rejectedConnections.sum();
  }

  /** Returns the requests, answers and writes that took longer than allowed. */
  public long timeouts() {
    return timeouts.sum();
  }

  /** Returns the requests refused before a route was looked up. */
  public long badRequests() {
    return badRequests.sum();
  }

  /** Returns the calls refused for want of the admin token. */
  public long adminRefusals() {
    return adminRefusals.sum();
  }

  /** Returns the event streams open now. */
  public long streams() {
    return streams.sum();
  }

  /** Returns the event streams closed because their reader was too slow. */
  public long streamDrops() {
    return streamDrops.sum();
  }

  /** Returns the event streams refused because as many as allowed were open. */
  public long streamRejects() {
    return streamRejects.sum();
  }

  void response(int status) {
    byClass[Math.min(5, Math.max(1, status / 100))].increment();
  }

  void connectionOpened() {
    connections.increment();
  }

  void connectionClosed() {
    connections.decrement();
  }

  void connectionRejected() {
    rejectedConnections.increment();
  }

  void timeout() {
    timeouts.increment();
  }

  void badRequest() {
    badRequests.increment();
  }

  void adminRefused() {
    adminRefusals.increment();
  }

  void streamOpened() {
    streams.increment();
  }

  void streamClosed() {
    streams.decrement();
  }

  void streamDropped() {
    streamDrops.increment();
  }

  void streamRejected() {
    streamRejects.increment();
  }
}
