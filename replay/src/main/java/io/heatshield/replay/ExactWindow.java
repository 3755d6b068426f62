package io.heatshield.replay;

import java.util.Arrays;

/**
 * The exact number of touches of every key in a sliding window with millisecond resolution. The
 * window ends now, and both of its ends are inclusive.
 *
 * <p>A queue holds all touches of the window, four bytes each, and removes them one by one. Every
 * interval of the window's length is therefore covered, whatever its start. If a window holds more
 * than 2<sup>26</sup> touches, exact counting stops and {@link #isOverflowed} returns true.
 *
 * <p>Not thread-safe.
 */
public final class ExactWindow {
  /*
   * queue       the keys of the window's touches: a ring buffer that grows, a power of two
   * perMilli    touches in each millisecond: a ring buffer of the window's length + 1
   * counts[i]   of key i: the present count in the upper half, the peak in the lower half
   */
  static final int MAX_TOUCHES = 1 << 26;

  private final int[] perMilli;
  private int[] queue = new int[1 << 16];
  private long head;
  private long tail;
  private long[] counts = new long[1 << 12];
  private long now;
  private int cell;
  private boolean overflowed;

  /** Creates a window of this length that starts at time 0. */
  public ExactWindow(int windowMillis) {
    perMilli = new int[windowMillis + 1];
  }

  /** Advances to a time, which must not go backwards, and removes expired touches. */
  public void advance(long millis) {
    if (millis - now >= perMilli.length) {
      while (head < tail) {
        removeOldest();
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
        removeOldest();
      }
      perMilli[cell] = 0;
    }
  }

  /** Counts a touch at the current time; returns the key's count in the window. */
  public int touch(int key) {
    if (overflowed) {
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

  /** Returns the highest count that a key has had in any window. */
  public int peak(int key) {
    return key < counts.length ? (int) counts[key] : 0;
  }

  /** Returns whether exact counting stopped because a window held too many touches. */
  public boolean isOverflowed() {
    return overflowed;
  }

  private void removeOldest() {
    counts[queue[(int) head++ & (queue.length - 1)]] -= 1L << 32;
  }

  private boolean grow() {
    if (queue.length >= MAX_TOUCHES) {
      overflowed = true;
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
