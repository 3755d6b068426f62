package io.heatshield.cli.demo.load;

import io.heatshield.runtime.metrics.LatencyHistogram;
import java.util.concurrent.atomic.LongAdder;

/** Counts the requests and replies of one group of clients. Thread-safe. */
public final class LoadMeter {
  private final LongAdder sent = new LongAdder();
  private final LongAdder skipped = new LongAdder();
  private final LongAdder answered = new LongAdder();
  private final LongAdder throttled = new LongAdder();
  private final LongAdder errors = new LongAdder();
  private final LatencyHistogram latencies = new LatencyHistogram();

  /** Records a request that was sent. */
  public void sent() {
    sent.increment();
  }

  /** Records a request that was due but not sent because too many were in flight. */
  public void skipped() {
    skipped.increment();
  }

  /** Records a reply with the time since its request was due. */
  public void answered(long nanos) {
    answered.increment();
    latencies.record(nanos);
  }

  /** Records that Heatshield throttled a request. */
  public void throttled() {
    throttled.increment();
  }

  /** Records that a request failed. */
  public void failed() {
    errors.increment();
  }

  /** Returns the number of requests sent. */
  public long sentCount() {
    return sent.sum();
  }

  /** Returns a snapshot of all counts. */
  public Snapshot snapshot() {
    return new Snapshot(
        sent.sum(),
        skipped.sum(),
        answered.sum(),
        throttled.sum(),
        errors.sum(),
        latencies.counts());
  }

  /**
   * A snapshot of the counts.
   *
   * @param sent requests sent
   * @param skipped requests that were due but not sent
   * @param answered replies that were neither throttled nor failed
   * @param throttled replies {@code -THROTTLED}
   * @param errors other errors
   * @param latencies counts by bucket of a {@link LatencyHistogram}
   */
  @SuppressWarnings("ArrayRecordComponent") // Read by Gauge only.
  public record Snapshot(
      long sent, long skipped, long answered, long throttled, long errors, long[] latencies) {}
}
