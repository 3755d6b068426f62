package io.heatshield.redisbloom;

/**
 * Something that a key of a store can hold beside bytes.
 *
 * <p>Any thread may call any method; each call is atomic.
 */
public interface Structure {

  /** Returns the memory that it takes, in bytes. */
  long bytes();

  /** Returns its stored form, which carries the key of its hash function and a checksum. */
  byte[] toBytes();

  /** Returns another one with the same content. */
  Structure copy();
}
