package io.heatshield.cli.demo;

import io.heatshield.runtime.metrics.LatencyHistogram;
import java.util.concurrent.atomic.LongAdder;

/**
 * What one group of clients has sent and got back, measured by the clients.
 *
 * <p>Any thread may record.
 */
final class LoadMeter {
  private final LongAdder sent = new LongAdder();
  private final LongAdder skipped = new LongAdder();
  private final LongAdder answered = new LongAdder();
  private final LongAdder throttled = new LongAdder();
  private final LongAdder errors = new LongAdder();
  private final LatencyHistogram latencies = new LatencyHistogram();

  /** Records a request that was sent. */
  void sent() {
    sent.increment();
  }

  /** Records a request that was due but not sent, because too many were waiting for a reply. */
  void skipped() {
    skipped.increment();
  }

  /** Records a reply, by the time since its request was due. */
  void answered(long nanos) {
    answered.increment();
    latencies.record(nanos);
  }

  /** Records that Heatshield throttled a request. */
  void throttled() {
    throttled.increment();
  }

  /** Records that a request failed. */
  void failed() {
    errors.increment();
  }

  /** Returns the requests that were sent. */
  long sentCount() {
    return sent.sum();
  }

  /** Returns all counts at this moment. */
  Snapshot snapshot() {
    return new Snapshot(
        sent.sum(),
        skipped.sum(),
        answered.sum(),
        throttled.sum(),
        errors.sum(),
        latencies.counts());
  }

  /**
   * The counts at one moment.
   *
   * @param sent requests sent
   * @param skipped requests that were due but not sent
   * @param answered replies, throttled and failed ones not among them
   * @param throttled replies {@code -THROTTLED}
   * @param errors other errors
   * @param latencies counts by bucket of a {@link LatencyHistogram}
   */
  @SuppressWarnings("ArrayRecordComponent") // Read by Gauge only.
  record Snapshot(
      long sent, long skipped, long answered, long throttled, long errors, long[] latencies) {}
}
