package io.heatshield.replay;

import java.util.Arrays;

/**
 * The exact number of touches of every key within one window that ends now, both ends included, in
 * steps of a millisecond.
 *
 * <p>All touches of the window stand in a queue, four bytes each, and leave it one by one; so every
 * interval of the window's length is seen, however it lies on the clock. When a window holds more
 * than 2<sup>26</sup> touches, the truth is given up and says so.
 *
 * <p>Not for use by several threads.
 */
public final class SlidingTruth {
  /*
   * queue       the keys of the window's touches, a ring of a power of two that grows
   * perMilli    how many of them fell into each millisecond, a ring of the window's length + 1
   * counts[i]   of key i: the count now in the upper half, the highest ever in the lower
   */
  static final int MOST_TOUCHES = 1 << 26;

  private final int[] perMilli;
  private int[] queue = new int[1 << 16];
  private long head;
  private long tail;
  private long[] counts = new long[1 << 12];
  private long now;
  private int cell;
  private boolean givenUp;

  /** Creates the truth over a window of so many milliseconds, from time 0 on. */
  public SlidingTruth(int windowMillis) {
    perMilli = new int[windowMillis + 1];
  }

  /** Moves to a time, which never runs backwards; touches that are too old no longer count. */
  public void advance(long millis) {
    if (millis - now >= perMilli.length) {
      while (head < tail) {
        forget();
      }
      Arrays.fill(perMilli, 0);
      now = millis;
      cell = (int) (millis % perMilli.length);
      return;
    }
    while (now < millis) {
      now++;
      cell = cell + 1 == perMilli.length ? 0 : cell + 1;
      for (int i = perMilli[cell]; i > 0; i--) {
        forget();
      }
      perMilli[cell] = 0;
    }
  }

  /** Counts a touch at the present time; returns the key's count in the window. */
  public int touch(int key) {
    if (givenUp) {
      return 0;
    }
    if (key >= counts.length) {
      counts = Arrays.copyOf(counts, Math.max(key + 1, 2 * counts.length));
    }
    if (tail - head == queue.length && !grow()) {
      return 0;
    }
    queue[(int) tail++ & (queue.length - 1)] = key;
    perMilli[cell]++;
    long count = (counts[key] >>> 32) + 1;
    counts[key] = count << 32 | Math.max(count, counts[key] & 0xffff_ffffL);
    return (int) count;
  }

  /** Returns the touches of a key in the window. */
  public int count(int key) {
    return key < counts.length ? (int) (counts[key] >>> 32) : 0;
  }

  /** Returns the most touches of a key that any window has held. */
  public int peak(int key) {
    return key < counts.length ? (int) counts[key] : 0;
  }

  /** Returns whether a window held too many touches to keep. */
  public boolean isGivenUp() {
    return givenUp;
  }

  private void forget() {
    counts[queue[(int) head++ & (queue.length - 1)]] -= 1L << 32;
  }

  private boolean grow() {
    if (queue.length >= MOST_TOUCHES) {
      givenUp = true;
      return false;
    }
    int[] longer = new int[2 * queue.length];
    for (long i = head; i < tail; i++) {
      longer[(int) i & (longer.length - 1)] = queue[(int) i & (queue.length - 1)];
    }
    queue = longer;
    return true;
  }
}
