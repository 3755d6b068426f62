package io.heatshield.data;

import io.heatshield.runtime.metrics.LatencyHistogram;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counters of a port that speaks the Redis protocol, for its metrics.
 *
 * <p>Any thread may read or increment them. A reader may miss concurrent increments; none is lost.
 */
public final class DataCounters {
  private final LongAdder clients = new LongAdder();
  private final LongAdder rejected = new LongAdder();
  private final LongAdder commands = new LongAdder();
  private final LongAdder errors = new LongAdder();
  private final LongAdder throttled = new LongAdder();
  private final LongAdder protocolErrors = new LongAdder();
  private final LongAdder timeouts = new LongAdder();
  private final LongAdder slowReaders = new LongAdder();
  private final LongAdder overBudget = new LongAdder();
  private final LatencyHistogram answers = new LatencyHistogram();
  private final LatencyHistogram storeCalls = new LatencyHistogram();

  /** Returns the number of connected clients. */
  public long clients() {
    return clients.sum();
  }

  /** Returns the clients that were rejected because the port was full. */
  public long rejected() {
    return rejected.sum();
  }

  /** Returns the number of replies to commands. */
  public long commands() {
    return commands.sum();
  }

  /** Returns the number of error replies. */
  public long errors() {
    return errors.sum();
  }

  /** Returns the writes that were throttled because their key is hot. */
  public long throttled() {
    return throttled.sum();
  }

  /** Returns the clients that were closed because they violated the protocol or its limits. */
  public long protocolErrors() {
    return protocolErrors.sum();
  }

  /** Returns the clients that were closed because they were idle or sent a command too slowly. */
  public long timeouts() {
    return timeouts.sum();
  }

  /** Returns the clients that were closed because they did not read their replies. */
  public long slowReaders() {
    return slowReaders.sum();
  }

  /** Returns the clients that were closed because all clients held too many bytes. */
  public long overBudget() {
    return overBudget.sum();
  }

  /** Returns the latency inside the server, from a complete command to its reply. */
  public LatencyHistogram answers() {
    return answers;
  }

  /** Returns the latency of the upstream for each command that was sent to it. */
  public LatencyHistogram storeCalls() {
    return storeCalls;
  }

  void opened() {
    clients.increment();
  }

  void closed() {
    clients.decrement();
  }

  void reject() {
    rejected.increment();
  }

  /** Counts replies, and how many of them were errors and throttled writes. */
  public void answered(int count, int failed, int clamped) {
    commands.add(count);
    if (failed > 0) {
      errors.add(failed);
      throttled.add(clamped);
    }
  }

  /** Counts a client that violated the protocol. */
  public void protocolError() {
    protocolErrors.increment();
  }

  /** Counts a client that was closed because it was idle. */
  public void timeout() {
    timeouts.increment();
  }

  /** Counts a client that did not read its replies. */
  public void slowReader() {
    slowReaders.increment();
  }

  /** Counts a client that was closed because all clients held too many bytes. */
  public void pastBudget() {
    overBudget.increment();
  }
}
