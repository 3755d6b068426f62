package io.heatshield.ring;

/**
 * The keys of a segment that were touched a few times in their window, each as its hash and the
 * beats of those touches: what a ring knows of a key before it has an entry.
 *
 * <p>A key takes 16 bytes here and no object. Whoever calls holds the segment's monitor.
 */
final class Singles {
  /*
   * cells   [hash, word] for each key, the word 0 for a free cell
   * word    [touches - 1: 2 | beats from the first touch to the third: 8 | to the second: 8 | beat of the first, + 1: 46]
   *
   * A key lies in one of the eight cells from the one that its hash names. One whose window has passed is free for the
   * next that comes by, and counted as gone then; a touch that has left the window while others have not is taken out
   * of the word when it is next looked at. A thread whose moment is older than the last touch's counts where that one
   * did. Two keys are the same if their keyed hashes are. See ADR-0053 and ADR-0062.
   */
  static final int LOOKS = 8;

  /** The most touches that a word has room for; a window has 64 slots at most, so steps fit. */
  static final int MAX_TOUCHES = 3;

  private static final int FIRST = 16;
  private static final int HASH_SHIFT = 20;
  private static final int BEAT_BITS = 46;
  private static final int STEP_BITS = 8;
  private static final int COUNT_SHIFT = BEAT_BITS + 2 * STEP_BITS;
  private static final long BEAT = (1L << BEAT_BITS) - 1;
  private static final long STEP = (1L << STEP_BITS) - 1;
  private static final int NOWHERE = -1;

  private final Beats beats;
  private final int most;
  private final int touches;
  private long[] cells;
  private long noted;
  private long gone;
  private long lapsed;

  /**
   * Creates a place for some keys that grows to at most so many, a power of two.
   *
   * @param touches how many touches a key may have and still be here
   */
  Singles(Beats beats, int most, int touches) {
    this.beats = beats;
    this.most = most;
    this.touches = touches;
    cells = new long[2 * Math.min(most, FIRST)];
  }

  /** Returns the word of a key, or 0. */
  long wordOf(long hash, Moment moment) {
    int at = find(hash);
    return at == NOWHERE ? 0 : live(at, moment);
  }

  /** Adds a touch to a key that is here; returns how many it has then, or 0 if that is too many. */
  int again(long hash, Moment moment, long below) {
    int at = find(hash);
    long word = cells[at + 1];
    int count = count(word) + 1;
    if (count > touches || count >= below) {
      return 0;
    }
    long step = Math.max(moment.beat(), beat(word, count - 2)) - beat(word, 0);
    cells[at + 1] = word + (1L << COUNT_SHIFT) + (step << (BEAT_BITS + (count - 2) * STEP_BITS));
    return count;
  }

  /** Notes the first touch of a key that is not there; returns false if there is no room. */
  boolean note(long hash, Moment moment) {
    int at = free(cells, hash, moment);
    while (at == NOWHERE && cells.length < 2 * most && grow(moment)) {
      at = free(cells, hash, moment);
    }
    if (at == NOWHERE) {
      return false;
    }
    noted++;
    cells[at] = hash;
    cells[at + 1] = moment.beat() + 1;
    return true;
  }

  /** Takes a key out and returns its word, or 0. */
  long take(long hash, Moment moment) {
    int at = find(hash);
    if (at == NOWHERE) {
      return 0;
    }
    long word = live(at, moment);
    cells[at + 1] = 0;
    return word;
  }

  /**
   * Frees the cells of keys whose window has passed; returns how many keys and touches are left.
   */
  long[] sweep(Moment moment) {
    long[] left = new long[2];
    for (int at = 0; at < cells.length; at += 2) {
      long word = cells[at + 1] == 0 ? 0 : live(at, moment);
      left[0] += word == 0 ? 0 : 1;
      left[1] += word == 0 ? 0 : count(word);
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

  /** Returns how many touches ran out here. */
  long lapsed() {
    return lapsed;
  }

  int bytes() {
    return Long.BYTES * cells.length;
  }

  /** Returns how many touches a word has. */
  static int count(long word) {
    return (int) (word >>> COUNT_SHIFT) + 1;
  }

  /** Returns the beat of a touch, counted from 0. */
  static long beat(long word, int touch) {
    long step = touch == 0 ? 0 : (word >>> (BEAT_BITS + (touch - 1) * STEP_BITS)) & STEP;
    return (word & BEAT) - 1 + step;
  }

  private int find(long hash) {
    int at = home(cells, hash);
    for (int look = 0; look < LOOKS; look++) {
      if (cells[at] == hash && cells[at + 1] != 0) {
        return at;
      }
      at = (at + 2) & (cells.length - 1);
    }
    return NOWHERE;
  }

  /** Returns a cell that a key may take, or {@link #NOWHERE}. */
  private int free(long[] from, long hash, Moment moment) {
    int at = home(from, hash);
    for (int look = 0; look < LOOKS; look++) {
      if (from[at + 1] == 0 || (from == cells && live(at, moment) == 0)) {
        return at;
      }
      at = (at + 2) & (from.length - 1);
    }
    return NOWHERE;
  }

  /** Doubles the cells, unless a key would then lie too far from where it is looked for. */
  private boolean grow(Moment moment) {
    long[] unused = sweep(moment);
    long[] next = new long[2 * cells.length];
    for (int from = 0; from < cells.length; from += 2) {
      if (cells[from + 1] != 0) {
        int to = free(next, cells[from], moment);
        if (to == NOWHERE) {
          return false;
        }
        next[to] = cells[from];
        next[to + 1] = cells[from + 1];
      }
    }
    cells = next;
    return true;
  }

  /** Takes what has left the window out of a taken cell; returns the word that is left, or 0. */
  private long live(int at, Moment moment) {
    long word = cells[at + 1];
    while (word != 0 && moment.periodsSince(beat(word, 0)) >= beats.slots()) {
      word = later(word);
      cells[at + 1] = word;
      lapsed++;
      gone += word == 0 ? 1 : 0;
    }
    return word;
  }

  /** Returns a word without its first touch. */
  private static long later(long word) {
    int count = count(word);
    if (count == 1) {
      return 0;
    }
    long second = beat(word, 1);
    long step = count == 2 ? 0 : beat(word, 2) - second;
    return ((count - 2L) << COUNT_SHIFT) | (step << BEAT_BITS) | (second + 1);
  }

  private static int home(long[] cells, long hash) {
    return ((int) (hash >>> HASH_SHIFT) << 1) & (cells.length - 1);
  }
}
