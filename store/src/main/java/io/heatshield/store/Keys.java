package io.heatshield.store;

import io.heatshield.guard.BytesKey;
import io.heatshield.hash.KeyHash;
import java.util.Collection;
import java.util.List;

/** The keys of one call with their hashes; a key may occur twice. */
final class Keys {
  static final int MAX_BYTES = 1 << 16;

  private final byte[][] keys;
  private final long[] hashes;

  private Keys(byte[][] keys, long[] hashes) {
    this.keys = keys;
    this.hashes = hashes;
  }

  static Keys of(byte[] key, long hash) {
    return new Keys(new byte[][] {key}, new long[] {hash});
  }

  static Keys of(List<byte[]> keys, KeyHash hash) {
    var array = keys.toArray(new byte[0][]);
    var hashes = new long[array.length];
    for (int i = 0; i < array.length; i++) {
      hashes[i] = hash.hash(checked(array[i]));
    }
    return new Keys(array, hashes);
  }

  static Keys of(Collection<BytesKey> keys) {
    return new Keys(
        keys.stream().map(BytesKey::bytes).toArray(byte[][]::new),
        keys.stream().mapToLong(BytesKey::hash).toArray());
  }

  /** Returns the key, or throws if it is too long. */
  static byte[] checked(byte[] key) {
    if (key.length > MAX_BYTES) {
      throw new IllegalArgumentException(
          "key must have at most " + MAX_BYTES + " bytes: " + key.length);
    }
    return key;
  }

  int size() {
    return keys.length;
  }

  byte[] key(int place) {
    return keys[place];
  }

  long hash(int place) {
    return hashes[place];
  }

  long[] hashes() {
    return hashes;
  }

  List<byte[]> list() {
    return List.of(keys);
  }
}
