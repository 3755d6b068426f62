package io.heatshield.ring;

/**
 * The keys of a segment that were touched once in their window, each as its hash and the beat of
 * that touch: what a ring knows of a key before it has an entry.
 *
 * <p>A key takes 16 bytes here and no object. Whoever calls holds the segment's monitor.
 */
final class Singles {
  /*
   * cells   [hash, beat + 1] for each key, 0 for a free cell
   *
   * A key lies in one of the eight cells from the one that its hash names. One whose window has passed is free for the
   * next that comes by, and counted as gone then. Two keys are the same if their keyed hashes are. See ADR-0053.
   */
  static final long NONE = -1;
  private static final int FIRST = 16;
  static final int LOOKS = 8;
  private static final int HASH_SHIFT = 20;

  private final Beats beats;
  private final int most;
  private long[] cells;
  private long noted;
  private long gone;

  /** Creates a place for some keys that grows to at most so many, a power of two. */
  Singles(Beats beats, int most) {
    this.beats = beats;
    this.most = most;
    cells = new long[2 * Math.min(most, FIRST)];
  }

  /** Returns the beat at which a key was touched, or {@link #NONE}. */
  long beatOf(long hash, Moment moment) {
    int at = find(hash);
    return at < 0 || !isLive(cells[at + 1], moment) ? NONE : cells[at + 1] - 1;
  }

  /** Notes the first touch of a key that is not there; returns false if there is no room. */
  boolean note(long hash, Moment moment) {
    int at = free(cells, hash, moment);
    while (at < 0 && cells.length < 2 * most && grow(moment)) {
      at = free(cells, hash, moment);
    }
    if (at < 0) {
      return false;
    }
    gone += cells[at + 1] == 0 ? 0 : 1;
    noted++;
    cells[at] = hash;
    cells[at + 1] = moment.beat() + 1;
    return true;
  }

  /** Takes a key out and returns the beat at which it was touched, or {@link #NONE}. */
  long take(long hash, Moment moment) {
    int at = find(hash);
    if (at < 0) {
      return NONE;
    }
    long beat = isLive(cells[at + 1], moment) ? cells[at + 1] - 1 : NONE;
    gone += beat == NONE ? 1 : 0;
    cells[at + 1] = 0;
    return beat;
  }

  /** Frees the cells of keys whose window has passed; returns how many are left. */
  int sweep(Moment moment) {
    int left = 0;
    for (int at = 0; at < cells.length; at += 2) {
      if (cells[at + 1] != 0 && !isLive(cells[at + 1], moment)) {
        cells[at + 1] = 0;
        gone++;
      }
      left += cells[at + 1] == 0 ? 0 : 1;
    }
    return left;
  }

  /** Returns how many keys were ever noted. */
  long noted() {
    return noted;
  }

  /** Returns how many of them ran out here. */
  long gone() {
    return gone;
  }

  int bytes() {
    return Long.BYTES * cells.length;
  }

  private int find(long hash) {
    int at = home(cells, hash);
    for (int look = 0; look < LOOKS; look++) {
      if (cells[at] == hash && cells[at + 1] != 0) {
        return at;
      }
      at = (at + 2) & (cells.length - 1);
    }
    return -1;
  }

  /** Returns a cell that a key may take, or -1. */
  private int free(long[] from, long hash, Moment moment) {
    int at = home(from, hash);
    for (int look = 0; look < LOOKS; look++) {
      if (from[at + 1] == 0 || !isLive(from[at + 1], moment)) {
        return at;
      }
      at = (at + 2) & (from.length - 1);
    }
    return -1;
  }

  /** Doubles the cells, unless a key would then lie too far from where it is looked for. */
  private boolean grow(Moment moment) {
    int unused = sweep(moment);
    long[] next = new long[2 * cells.length];
    for (int from = 0; from < cells.length; from += 2) {
      if (cells[from + 1] != 0) {
        int to = free(next, cells[from], moment);
        if (to < 0) {
          return false;
        }
        next[to] = cells[from];
        next[to + 1] = cells[from + 1];
      }
    }
    cells = next;
    return true;
  }

  private boolean isLive(long beatAndOne, Moment moment) {
    return moment.periodsSince(beatAndOne - 1) < beats.slots();
  }

  private static int home(long[] cells, long hash) {
    return ((int) (hash >>> HASH_SHIFT) << 1) & (cells.length - 1);
  }
}
