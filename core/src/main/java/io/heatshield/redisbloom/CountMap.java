package io.heatshield.redisbloom;

/**
 * Counts by hash, exact, in two arrays with open addressing; a count of 0 is none.
 *
 * <p>For one thread at a time. Takes 16 bytes for each place, of which at most two in three are
 * taken.
 */
final class CountMap {
  /** Told every hash and its count. */
  @FunctionalInterface
  interface Sink {
    void accept(long hash, long count);
  }

  private static final int LEAST = 8;
  private static final long SPREAD = 0x9e3779b97f4a7c15L;

  private long[] hashes = new long[LEAST];
  private long[] counts = new long[LEAST];
  private int size;

  int size() {
    return size;
  }

  long bytes() {
    return 2L * Long.BYTES * hashes.length;
  }

  /** Returns the bytes of a map with so many counts, however it grew. */
  static long bytes(long size) {
    return 2 * Long.BYTES * Long.highestOneBit(Math.max(LEAST, size * 3 / 2)) * 2;
  }

  long get(long hash) {
    return counts[place(hash)];
  }

  /** Sets a count; 0 takes the hash out. */
  void set(long hash, long count) {
    int place = place(hash);
    if (count == 0) {
      remove(place);
      return;
    }
    if (counts[place] == 0) {
      if ((size + 1) * 3L > hashes.length * 2L) {
        grow();
        place = place(hash);
      }
      size++;
    }
    hashes[place] = hash;
    counts[place] = count;
  }

  void forEach(Sink sink) {
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] != 0) {
        sink.accept(hashes[i], counts[i]);
      }
    }
  }

  CountMap copy() {
    var copy = new CountMap();
    copy.hashes = hashes.clone();
    copy.counts = counts.clone();
    copy.size = size;
    return copy;
  }

  private int place(long hash) {
    int mask = hashes.length - 1;
    int place = home(hash);
    while (counts[place] != 0 && hashes[place] != hash) {
      place = (place + 1) & mask;
    }
    return place;
  }

  private int home(long hash) {
    return (int) ((hash * SPREAD) >>> 32) & (hashes.length - 1);
  }

  /** Empties a place and moves those behind it that would not be found any more. */
  private void remove(int place) {
    if (counts[place] == 0) {
      return;
    }
    int mask = hashes.length - 1;
    int hole = place;
    for (int i = (place + 1) & mask; counts[i] != 0; i = (i + 1) & mask) {
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
        int place = place(oldHashes[i]);
        hashes[place] = oldHashes[i];
        counts[place] = oldCounts[i];
      }
    }
  }
}
