package io.heatshield.store.engine;

import java.util.List;

/**
 * The capability of an engine to find expired values, so that the store deletes them. Without it,
 * and unless the engine {@linkplain Engine#removesExpired removes} them, an expired value is never
 * returned but stays until its key is written.
 */
public interface ExpirySweep {

  /** Returns at most {@code max} keys whose values have expired at a Unix time in milliseconds. */
  List<byte[]> expired(long nowMillis, int max);
}
