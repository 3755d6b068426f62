package io.heatshield.rocksdb;

import io.heatshield.guard.BytesKey;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.hash.SeaHash;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The set of keys in the hot column family, and their names there. It has at most {@value
 * #MAX_KEYS} keys of at most {@value #MAX_LENGTH} bytes.
 *
 * <p>A key is in this set from before it is moved to the hot family until after it was moved back.
 * {@link #moves} has counted a promotion before the same key can be moved back.
 */
final class HotKeyIndex {
  static final int MAX_KEYS = 250_000;
  static final int MAX_LENGTH = 512;
  static final int BYTES_EACH = 200;

  private final KeyHash hash = KeyHash.fast(HashSecret.random());
  private final Set<BytesKey> keys = ConcurrentHashMap.newKeySet();
  private final AtomicLong moves = new AtomicLong();
  private final int buckets;

  HotKeyIndex(int buckets) {
    this.buckets = buckets;
  }

  BytesKey hashed(byte[] key) {
    return new BytesKey(key, hash.hash(key));
  }

  boolean contains(BytesKey key) {
    return keys.contains(key);
  }

  boolean accepts(BytesKey key) {
    return key.bytes().length <= MAX_LENGTH && keys.size() < MAX_KEYS;
  }

  void add(BytesKey key) {
    keys.add(key);
  }

  void remove(BytesKey key) {
    keys.remove(key);
  }

  void clear() {
    keys.clear();
  }

  /** Counts a moved key; called before the key is removed from the set. */
  void moved() {
    moves.incrementAndGet();
  }

  long moves() {
    return moves.get();
  }

  long bytes() {
    return (long) keys.size() * BYTES_EACH;
  }

  /** Returns the name of a key in the hot family: its bucket, then the key. */
  byte[] name(byte[] key) {
    byte[] name = new byte[key.length + 1];
    name[0] = (byte) Long.remainderUnsigned(SeaHash.hash(key), buckets);
    System.arraycopy(key, 0, name, 1, key.length);
    return name;
  }

  /** Returns the key with a name in the hot family. */
  static byte[] keyOf(byte[] name) {
    return Arrays.copyOfRange(name, 1, name.length);
  }
}
