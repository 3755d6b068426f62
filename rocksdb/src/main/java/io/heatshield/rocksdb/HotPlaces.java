package io.heatshield.rocksdb;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.hash.SeaHash;
import io.heatshield.store.Key;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Which keys live on the hot side, and where there. At most {@value #MAX_KEYS} do, of at most
 * {@value #MAX_LENGTH} bytes each.
 *
 * <p>A key is in from before it moves to the hot side until after it has left, so who finds it not
 * in looks on the cold side alone. Who found nothing on either side looks again if a key moved
 * meanwhile: {@link #quiet} and {@link #stayedQuiet} tell.
 */
final class HotPlaces {
  static final int MAX_KEYS = 250_000;
  static final int MAX_LENGTH = 512;
  private static final int BYTES_EACH = 200;
  private static final long LOUD = -1;

  private final KeyHash hash = KeyHash.fast(HashSecret.random());
  private final Set<Key> keys = ConcurrentHashMap.newKeySet();
  private final AtomicLong moves = new AtomicLong();
  private final AtomicInteger moving = new AtomicInteger();
  private final int buckets;

  HotPlaces(int buckets) {
    this.buckets = buckets;
  }

  Key named(byte[] key) {
    return new Key(key, hash.hash(key));
  }

  boolean has(Key key) {
    return keys.contains(key);
  }

  boolean takes(Key key) {
    return key.bytes().length <= MAX_LENGTH && keys.size() < MAX_KEYS;
  }

  void add(Key key) {
    keys.add(key);
  }

  void remove(Key key) {
    keys.remove(key);
  }

  void clear() {
    keys.clear();
  }

  /** A key is about to change sides. */
  void begin() {
    moving.incrementAndGet();
  }

  /** A key has changed sides, or not. */
  void end(boolean moved) {
    if (moved) {
      moves.incrementAndGet();
    }
    moving.decrementAndGet();
  }

  long moves() {
    return moves.get();
  }

  /** Returns a mark for {@link #stayedQuiet}. */
  long quiet() {
    long mark = moves.get();
    return moving.get() == 0 ? mark : LOUD;
  }

  /** Returns whether no key changed sides since the mark. */
  boolean stayedQuiet(long mark) {
    return mark != LOUD && moving.get() == 0 && moves.get() == mark;
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
