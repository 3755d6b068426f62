package io.heatshield.store.engine;

/** The capability of an engine to measure its memory. */
public interface SpaceUse {

  /** Returns the memory in bytes that the engine uses for data, as far as it knows. */
  long bytes();

  /** Returns how many more bytes may be stored, as far as the engine knows. */
  default long room() {
    return Long.MAX_VALUE;
  }
}
