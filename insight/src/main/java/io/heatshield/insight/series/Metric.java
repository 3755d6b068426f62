package io.heatshield.insight.series;

/** The metrics that are sampled every second. */
public enum Metric {
  /** Requests for keys, per second. */
  REQUESTS,
  /** Hot keys. */
  HOT_KEYS,
  /** Saved calls to the store, per second. */
  SAVED,
  /** Calls that protection in observe mode would have saved, per second. */
  WOULD_SAVE,
  /** Calls that reached the store, per second. */
  STORE_CALLS,
  /** Requests answered with an error, per second. */
  ERRORS,
  /** The median latency of requests, in milliseconds. */
  ANSWER_P50_MS,
  /** The 99th percentile of the latency of requests, in milliseconds. */
  ANSWER_P99_MS,
  /** The median latency of calls to the store, in milliseconds. */
  STORE_P50_MS,
  /** The 99th percentile of the latency of calls to the store, in milliseconds. */
  STORE_P99_MS
}
