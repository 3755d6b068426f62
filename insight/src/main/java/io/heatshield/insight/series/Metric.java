package io.heatshield.insight.series;

/** What is sampled every second. */
public enum Metric {
  /** Requests for keys, per second. */
  REQUESTS,
  /** Keys that are hot. */
  HOT_KEYS,
  /** Calls to the store that protection saved, per second. */
  SAVED,
  /** Calls that protection in observe mode would have saved, per second. */
  WOULD_SAVE,
  /** Calls that reached the store, per second. */
  STORE_CALLS,
  /** Requests answered with an error, per second. */
  ERRORS,
  /** The time in which half of the requests were answered, in milliseconds. */
  ANSWER_P50_MS,
  /** The time in which 99 of 100 requests were answered, in milliseconds. */
  ANSWER_P99_MS,
  /** The time in which half of the calls to the store were answered, in milliseconds. */
  STORE_P50_MS,
  /** The time in which 99 of 100 calls to the store were answered, in milliseconds. */
  STORE_P99_MS
}
