package io.heatshield.redisbloom;

import static io.heatshield.snapshot.InvalidSnapshotException.require;

import io.heatshield.snapshot.InvalidSnapshotException;
import java.nio.ByteBuffer;

/**
 * A hash map of exact counts by hash, with open addressing; a count of 0 means absent.
 *
 * <p>Not thread-safe. Each cell takes 16 bytes, and at most two thirds of the cells are used.
 */
final class CountMap {
  /** Receives each hash and its count. */
  @FunctionalInterface
  interface Sink {
    void accept(long hash, long count);
  }

  private static final int MIN_CELLS = 8;
  private static final int MIN_ITEMS = 16;
  static final int MAX_ITEMS = 1 << 16;
  private static final int BYTES_PER_ITEM = 24;
  private static final long SPREAD = 0x9e3779b97f4a7c15L;

  private long[] hashes = new long[MIN_CELLS];
  private long[] counts = new long[MIN_CELLS];
  private int size;

  /** Reads pairs of a hash and a count of 1 to {@code max}. */
  static CountMap read(ByteBuffer in, int items, long max) throws InvalidSnapshotException {
    var map = new CountMap();
    for (int i = 0; i < items; i++) {
      long hash = in.getLong();
      long count = in.getLong();
      require(count > 0 && count <= max && map.get(hash) == 0, "holds an invalid count");
      map.set(hash, count);
    }
    return map;
  }

  /** Returns the number of items that are counted exactly before a sketch of this size is used. */
  static int maxExactItems(long sketchBytes) {
    return (int) Math.max(MIN_ITEMS, Math.min(MAX_ITEMS, sketchBytes / BYTES_PER_ITEM));
  }

  int size() {
    return size;
  }

  long bytes() {
    return 2L * Long.BYTES * hashes.length;
  }

  /** Returns the maximum bytes of a map with the given number of counts. */
  static long bytes(long size) {
    return 2 * Long.BYTES * Long.highestOneBit(Math.max(MIN_CELLS, size * 3 / 2)) * 2;
  }

  long get(long hash) {
    return counts[index(hash)];
  }

  /** Sets a count; 0 removes the hash. */
  void set(long hash, long count) {
    int index = index(hash);
    if (count == 0) {
      remove(index);
      return;
    }
    if (counts[index] == 0) {
      if ((size + 1) * 3L > hashes.length * 2L) {
        grow();
        index = index(hash);
      }
      size++;
    }
    hashes[index] = hash;
    counts[index] = count;
  }

  void forEach(Sink sink) {
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] != 0) {
        sink.accept(hashes[i], counts[i]);
      }
    }
  }

  /** Writes pairs of a hash and a count. */
  void writeTo(ByteBuffer out) {
    forEach((hash, count) -> out.putLong(hash).putLong(count));
  }

  /** Returns the sum of all counts, or {@link Long#MAX_VALUE} if it is larger. */
  long sum() {
    long sum = 0;
    for (long count : counts) {
      sum = sum > Long.MAX_VALUE - count ? Long.MAX_VALUE : sum + count;
    }
    return sum;
  }

  CountMap copy() {
    var copy = new CountMap();
    copy.hashes = hashes.clone();
    copy.counts = counts.clone();
    copy.size = size;
    return copy;
  }

  private int index(long hash) {
    int mask = hashes.length - 1;
    int index = home(hash);
    while (counts[index] != 0 && hashes[index] != hash) {
      index = (index + 1) & mask;
    }
    return index;
  }

  private int home(long hash) {
    return (int) ((hash * SPREAD) >>> 32) & (hashes.length - 1);
  }

  /** Empties a cell, and moves back later entries that would not be found otherwise. */
  private void remove(int index) {
    if (counts[index] == 0) {
      return;
    }
    int mask = hashes.length - 1;
    int hole = index;
    for (int i = (index + 1) & mask; counts[i] != 0; i = (i + 1) & mask) {
      int distance = (i - home(hashes[i])) & mask;
      if (distance >= ((i - hole) & mask)) {
        hashes[hole] = hashes[i];
        counts[hole] = counts[i];
        hole = i;
      }
    }
    counts[hole] = 0;
    size--;
  }

  private void grow() {
    long[] oldHashes = hashes;
    long[] oldCounts = counts;
    hashes = new long[2 * oldHashes.length];
    counts = new long[2 * oldCounts.length];
    for (int i = 0; i < oldCounts.length; i++) {
      if (oldCounts[i] != 0) {
        int index = index(oldHashes[i]);
        hashes[index] = oldHashes[i];
        counts[index] = oldCounts[i];
      }
    }
  }
}
