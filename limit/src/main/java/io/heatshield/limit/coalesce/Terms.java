package io.heatshield.limit.coalesce;

/** What may change while flights are out, read as one. */
record Terms(long threshold, long windowNanos, int maxBatch) {
  static Terms of(CoalesceSettings settings) {
    return new Terms(settings.threshold(), settings.flushWindow().toNanos(), settings.maxBatch());
  }
}
