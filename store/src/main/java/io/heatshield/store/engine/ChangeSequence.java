package io.heatshield.store.engine;

/**
 * The capability of an engine to number its changes. With it the store keeps its filter of absent
 * keys in a file while it is closed; otherwise the filter is rebuilt after each start.
 */
public interface ChangeSequence {

  /**
   * Returns a number, at least 0, that grows with every change and survives a restart together with
   * the data.
   */
  long sequence();
}
