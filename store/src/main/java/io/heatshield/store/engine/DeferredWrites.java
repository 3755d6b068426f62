package io.heatshield.store.engine;

import java.util.List;

/** The capability of an engine that keeps some changes in memory and writes them later. */
public interface DeferredWrites {

  /** Returns some of the keys with changes that are not written. */
  List<byte[]> unsaved(int max);

  /** Writes a key if it has changed. The caller prevents writes of the key meanwhile. */
  void save(byte[] key);
}
