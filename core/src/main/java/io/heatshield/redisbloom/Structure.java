package io.heatshield.redisbloom;

/**
 * A value of a store's key other than bytes.
 *
 * <p>Any thread may call any method; each call is atomic.
 */
public interface Structure {

  /** Returns the memory in use, in bytes. */
  long bytes();

  /** Returns the stored form, which includes the key of the hash function and a checksum. */
  byte[] toBytes();

  /** Returns a copy with the same content. */
  Structure copy();
}
