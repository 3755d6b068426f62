package io.heatshield.detect;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The exact count of about one key in 4,096, chosen by its keyed hash, beside the estimates.
 *
 * <p>At most {@value #CAPACITY} keys are followed. One that the window no longer holds gives up its
 * place at the next review; until then further keys are refused, and counted. A key that was
 * refused may have touches in the window that were not counted, so it enters the figures only after
 * a whole window.
 */
final class Audit {
  /*
   * Every stripe counts a followed key under its slot, inside the lock that the touch holds anyway: a hot key that
   * happens to be in the sample costs one more addition. A key is followed before its first touch is counted. Two
   * threads whose first touches of a key race may lose the later one's count to a table that has not changed yet for
   * it; the exact count is then too low by that touch, and the error shown too high.
   *
   * index    volatile; replaced as a whole under this object's monitor, which only a sampled key's first touch, its
   *          crossing of the threshold and a review take
   */
  static final int SAMPLE_BITS = 12;
  static final long SAMPLE_MASK = -1L << (Long.SIZE - SAMPLE_BITS);
  static final int CAPACITY = 48;

  private static final Followed NOBODY = new Followed(0, 0, 0, 0);

  private final Stripes stripes;
  private final int numbersBefore;
  private volatile SlotIndex<Followed> index;
  private int generation;
  private long refused;
  private long refusedEpoch = Long.MIN_VALUE / 2;
  private long due;
  private long found;

  Audit(Stripes stripes, int numbersBefore) {
    this.stripes = stripes;
    this.numbersBefore = numbersBefore;
    this.index = indexOf(List.of());
  }

  static boolean isSampled(long mixed) {
    return (mixed & SAMPLE_MASK) == 0;
  }

  /** Returns the slot of a sampled key, which gets one if there is room. */
  @Nullable Followed follow(long hash, Pane pane) {
    Followed followed = index.find(hash);
    return followed != null ? followed : begin(hash, pane);
  }

  /** Notes whether a touch that brought its key to the threshold was told so. */
  void check(Followed followed, Pane pane, Verdict verdict) {
    if (!followed.due && stripes.exact(followed, pane.epoch) >= pane.limits.hotAt) {
      note(followed, verdict != Verdict.COOL);
    }
  }

  synchronized void review(Pane pane) {
    var kept = new ArrayList<Followed>();
    for (Followed followed : index.all()) {
      long exact = stripes.exact(followed, pane.epoch);
      if (exact < pane.limits.coolBelow) {
        if (followed.suspect && !followed.due) {
          due++;
        }
        followed.due = false;
        followed.suspect = false;
      }
      if (exact > 0) {
        kept.add(followed);
      }
    }
    if (kept.size() < index.all().size()) {
      index = indexOf(kept);
    }
  }

  synchronized AuditReport report(Pane pane) {
    int keys = 0;
    long sum = 0;
    long max = 0;
    for (Followed followed : index.all()) {
      long exact = stripes.exact(followed, pane.epoch);
      long error = stripes.sum(followed.hash, pane.epoch) - exact;
      boolean whole = pane.epoch - followed.wholeFrom >= 0;
      if (whole && exact > 0) {
        keys++;
        sum += error;
        max = Math.max(max, error);
      }
    }
    return new AuditReport(keys, keys == 0 ? 0 : (double) sum / keys, max, due, found, refused);
  }

  private synchronized @Nullable Followed begin(long hash, Pane pane) {
    Followed known = index.find(hash);
    if (known != null) {
      return known;
    }
    List<Followed> all = index.all();
    if (all.size() >= CAPACITY) {
      refused++;
      refusedEpoch = pane.epoch;
      return null;
    }
    boolean[] taken = new boolean[1 + CAPACITY];
    all.forEach(followed -> taken[followed.number - numbersBefore] = true);
    int number = 1;
    while (taken[number]) {
      number++;
    }
    int panes = pane.limits.settings.panes();
    boolean unseen = pane.epoch - refusedEpoch > panes;
    long wholeFrom = unseen ? pane.epoch : pane.epoch + panes + 1;
    var followed = new Followed(hash, numbersBefore + number, ++generation, wholeFrom);
    var more = new ArrayList<Followed>(all);
    more.add(followed);
    index = indexOf(more);
    return followed;
  }

  private SlotIndex<Followed> indexOf(List<Followed> followed) {
    return new SlotIndex<>(followed, numbersBefore, CAPACITY, 0, NOBODY);
  }

  /**
   * Counts a key that is due. Two touches that race to the threshold may both be in the exact count
   * before the first of them is judged, so one cool verdict is a suspicion and a second one a miss.
   */
  private synchronized void note(Followed followed, boolean reported) {
    if (followed.due) {
      return;
    }
    if (!reported && !followed.suspect) {
      followed.suspect = true;
      return;
    }
    followed.due = true;
    due++;
    if (reported) {
      found++;
    }
  }

  static long bytes() {
    return CAPACITY * 48L + SlotIndex.bytes(CAPACITY) + 64;
  }

  /** A sampled key; its flags are guarded by the audit's monitor, {@code due} also read without. */
  static final class Followed extends Slot {
    private final long wholeFrom;
    private volatile boolean due;
    private boolean suspect;

    Followed(long hash, int number, int generation, long wholeFrom) {
      super(hash, number, generation);
      this.wholeFrom = wholeFrom;
    }
  }
}
