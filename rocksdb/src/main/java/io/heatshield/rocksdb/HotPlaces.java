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
 * Which keys live on the hot side, and where there. At most {@value #MAX_KEYS} do, of at most
 * {@value #MAX_LENGTH} bytes each.
 *
 * <p>A key is in this set from before it moves to the hot side until after it has left. {@link
 * #moves} has counted a promotion before the same key can leave the hot side again.
 */
final class HotPlaces {
  static final int MAX_KEYS = 250_000;
  static final int MAX_LENGTH = 512;
  private static final int BYTES_EACH = 200;

  private final KeyHash hash = KeyHash.fast(HashSecret.random());
  private final Set<BytesKey> keys = ConcurrentHashMap.newKeySet();
  private final AtomicLong moves = new AtomicLong();
  private final int buckets;

  HotPlaces(int buckets) {
    this.buckets = buckets;
  }

  BytesKey named(byte[] key) {
    return new BytesKey(key, hash.hash(key));
  }

  boolean has(BytesKey key) {
    return keys.contains(key);
  }

  boolean takes(BytesKey key) {
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

  /** Counts a key that has changed sides; called before its place is removed. */
  void moved() {
    moves.incrementAndGet();
  }

  long moves() {
    return moves.get();
  }

  long bytes() {
    return (long) keys.size() * BYTES_EACH;
  }

  /** Returns the hot side's name for a key: the range it falls into, and the key. */
  byte[] place(byte[] key) {
    byte[] place = new byte[key.length + 1];
    place[0] = (byte) Long.remainderUnsigned(SeaHash.hash(key), buckets);
    System.arraycopy(key, 0, place, 1, key.length);
    return place;
  }

  static byte[] keyAt(byte[] place) {
    return Arrays.copyOfRange(place, 1, place.length);
  }
}
