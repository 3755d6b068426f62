package io.heatshield.guard;

/**
 * A key with its keyed hash, so that nobody outside can aim at one slot of a map.
 *
 * <p>Equal keys have equal bytes and hashes. An implementation may have more components, for
 * example the database that a client sees.
 */
public interface HashedKey {

  /** Returns the bytes themselves; nobody may change them. */
  byte[] bytes();

  /** Returns the keyed hash of the bytes. */
  long hash();
}
