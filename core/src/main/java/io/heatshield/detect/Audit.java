package io.heatshield.detect;

import java.util.Arrays;
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
   * Every stripe counts a followed key under its number, inside the lock that the touch holds
   * anyway. A key is followed before its first touch is counted. A touch looks the number up under
   * the stripe's lock, so that a number can be given to another key, see DetectorStripes.reset.
   *
   * followed   volatile; replaced as a whole under this object's monitor, which only a sampled
   *            key's first touch, its crossing of the threshold and a review take
   */
  static final int SAMPLE_BITS = 12;
  static final int CAPACITY = 48;

  private static final long MIX = 0xd6e8feb86659fd93L;

  private final DetectorStripes stripes;
  private final int firstNumber;
  private volatile Followed[] followed = {};
  private long refused;
  private long refusedEpoch = Long.MIN_VALUE / 2;
  private long due;
  private long found;

  Audit(DetectorStripes stripes, int firstNumber) {
    this.stripes = stripes;
    this.firstNumber = firstNumber;
  }

  /** Returns a hash whose upper bits depend on all bits of a hash that a caller may have given. */
  static long mix(long hash) {
    return hash * MIX;
  }

  static boolean isSampled(long hash) {
    return mix(hash) >>> (Long.SIZE - SAMPLE_BITS) == 0;
  }

  /** Gives a sampled key a number, if it has none and there is room. */
  void follow(long hash, Pane pane, long now) {
    if (find(hash) == null) {
      begin(hash, pane, now);
    }
  }

  /** Returns a followed key. */
  @Nullable Followed find(long hash) {
    for (Followed one : followed) {
      if (one.hash == hash) {
        return one;
      }
    }
    return null;
  }

  /** Notes whether a touch that brought its key to the threshold got a verdict that says so. */
  void check(Followed one, Pane pane, Verdict verdict) {
    if (!one.due && stripes.exact(one.number, pane.epoch) >= pane.hotAt) {
      note(one, verdict != Verdict.COOL);
    }
  }

  synchronized void review(Pane pane) {
    Followed[] kept = new Followed[followed.length];
    int count = 0;
    for (Followed one : followed) {
      long exact = stripes.exact(one.number, pane.epoch);
      if (exact < pane.coolBelow) {
        if (one.suspect && !one.due) {
          due++;
        }
        one.due = false;
        one.suspect = false;
      }
      if (exact > 0) {
        kept[count++] = one;
      }
    }
    if (count < followed.length) {
      followed = Arrays.copyOf(kept, count);
    }
  }

  synchronized AuditReport report(Pane pane) {
    int keys = 0;
    long sum = 0;
    long max = 0;
    for (Followed one : followed) {
      long exact = stripes.exact(one.number, pane.epoch);
      long error = stripes.sum(one.hash, pane.epoch) - exact;
      boolean whole = pane.epoch - one.wholeFrom >= 0;
      if (whole && exact > 0) {
        keys++;
        sum += error;
        max = Math.max(max, error);
      }
    }
    return new AuditReport(keys, keys == 0 ? 0 : (double) sum / keys, max, due, found, refused);
  }

  private synchronized void begin(long hash, Pane pane, long now) {
    Followed[] all = followed;
    if (find(hash) != null) {
      return;
    }
    if (all.length >= CAPACITY) {
      refused++;
      refusedEpoch = pane.epoch;
      return;
    }
    boolean[] taken = new boolean[CAPACITY];
    for (Followed one : all) {
      taken[one.number - firstNumber] = true;
    }
    int number = firstNumber;
    while (taken[number - firstNumber]) {
      number++;
    }
    stripes.reset(number, now);
    int panes = pane.settings.panes();
    boolean unseen = pane.epoch - refusedEpoch > panes;
    long wholeFrom = unseen ? pane.epoch : pane.epoch + panes + 1;
    Followed[] more = Arrays.copyOf(all, all.length + 1);
    more[all.length] = new Followed(hash, number, wholeFrom);
    followed = more;
  }

  /**
   * Counts a key that is due. Two touches that race to the threshold may both be in the exact count
   * before the first of them is judged, so one cool verdict is a suspicion and a second one a miss.
   */
  private synchronized void note(Followed one, boolean reported) {
    if (one.due) {
      return;
    }
    if (!reported && !one.suspect) {
      one.suspect = true;
      return;
    }
    one.due = true;
    due++;
    if (reported) {
      found++;
    }
  }

  static long bytes() {
    return CAPACITY * (40L + Integer.BYTES) + 96;
  }

  /** A sampled key; its flags are guarded by the audit's monitor, {@code due} also read without. */
  static final class Followed {
    final int number;
    private final long hash;
    private final long wholeFrom;
    private volatile boolean due;
    private boolean suspect;

    Followed(long hash, int number, long wholeFrom) {
      this.hash = hash;
      this.number = number;
      this.wholeFrom = wholeFrom;
    }
  }
}
