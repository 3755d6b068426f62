package io.heatshield.data;

import io.heatshield.runtime.metrics.LatencyHistogram;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the data door did: counts of effects, read by the metrics.
 *
 * <p>Any thread may read or raise them. A reader may miss raises of the same moment; none is lost.
 */
public final class DataCounters {
  private final LongAdder clients = new LongAdder();
  private final LongAdder rejected = new LongAdder();
  private final LongAdder commands = new LongAdder();
  private final LongAdder foundAhead = new LongAdder();
  private final LongAdder errors = new LongAdder();
  private final LongAdder throttled = new LongAdder();
  private final LongAdder protocolErrors = new LongAdder();
  private final LongAdder timeouts = new LongAdder();
  private final LongAdder slowReaders = new LongAdder();
  private final LongAdder overBudget = new LongAdder();
  private final LatencyHistogram answers = new LatencyHistogram();
  private final LatencyHistogram storeCalls = new LatencyHistogram();

  /** Creates counters that stand at zero. */
  public DataCounters() {}

  /** Returns the clients connected now. */
  public long clients() {
    return clients.sum();
  }

  /** Returns the clients refused because as many as allowed were connected. */
  public long rejected() {
    return rejected.sum();
  }

  /** Returns the commands that were answered. */
  public long commands() {
    return commands.sum();
  }

  /** Returns the commands that were answered with an error. */
  public long errors() {
    return errors.sum();
  }

  /** Returns the writes that were refused because their key is hot. */
  public long throttled() {
    return throttled.sum();
  }

  /** Returns the clients closed because they did not speak the protocol or passed its limits. */
  public long protocolErrors() {
    return protocolErrors.sum();
  }

  /** Returns the clients closed for silence or for a command that did not arrive. */
  public long timeouts() {
    return timeouts.sum();
  }

  /** Returns the clients closed because they did not read. */
  public long slowReaders() {
    return slowReaders.sum();
  }

  /** Returns the clients closed because all of them together held too much. */
  public long overBudget() {
    return overBudget.sum();
  }

  /** Returns how long commands took inside the server, from the whole command to its reply. */
  public LatencyHistogram answers() {
    return answers;
  }

  /** Returns how long the upstream took to reply, for each command that was sent to it. */
  public LatencyHistogram storeCalls() {
    return storeCalls;
  }

  /** Returns the keys of pipelines that were found before their commands ran. */
  long foundAhead() {
    return foundAhead.sum();
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

  /** Adds answers, how many of them were errors and clamps, and how many keys were found ahead. */
  public void answered(int count, int failed, int clamped, int found) {
    commands.add(count);
    if (found > 0) {
      foundAhead.add(found);
    }
    if (failed > 0) {
      errors.add(failed);
      throttled.add(clamped);
    }
  }

  /** Adds a client that did not speak the protocol. */
  public void protocolError() {
    protocolErrors.increment();
  }

  /** Adds a client closed for silence. */
  public void timeout() {
    timeouts.increment();
  }

  /** Adds a client that did not read. */
  public void slowReader() {
    slowReaders.increment();
  }

  /** Adds a client closed because all held too much. */
  public void pastBudget() {
    overBudget.increment();
  }
}
