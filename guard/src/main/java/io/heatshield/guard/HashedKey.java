package io.heatshield.guard;

/**
 * A key with its keyed hash, so that an attacker cannot choose keys that collide in a map.
 *
 * <p>Equal keys have equal bytes and hashes. An implementation may have more components, for
 * example the database that a client sees.
 */
public interface HashedKey {

  /** Returns the bytes, which are not copied and must not be changed. */
  byte[] bytes();

  /** Returns the keyed hash of the bytes. */
  long hash();
}
