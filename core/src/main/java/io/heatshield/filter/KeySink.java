package io.heatshield.filter;

import io.heatshield.hash.KeyHash;
import java.nio.ByteBuffer;
import java.util.function.LongPredicate;

/**
 * Receives the keys of a {@link KeySource}. Every method returns false once the rebuild needs no
 * more keys; the scan may then end.
 */
public final class KeySink {
  private final KeyHash hash;
  private final LongPredicate hashes;

  KeySink(KeyHash hash, LongPredicate hashes) {
    this.hash = hash;
    this.hashes = hashes;
  }

  /** Delivers a key; returns whether more are wanted. */
  public boolean accept(byte[] key) {
    return hashes.test(hash.hash(key));
  }

  /** Delivers the key in a buffer's remaining bytes; returns whether more are wanted. */
  public boolean accept(ByteBuffer key) {
    return hashes.test(hash.hash(key));
  }

  /** Delivers a key; returns whether more are wanted. */
  public boolean accept(CharSequence key) {
    return hashes.test(hash.hash(key));
  }

  /** Delivers a number as a key; returns whether more are wanted. */
  public boolean accept(long key) {
    return hashes.test(hash.hash(key));
  }
}
