package io.heatshield.detect;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Counts about one key in 4,096, chosen by its keyed hash, exactly, to check the estimates.
 *
 * <p>At most {@value #CAPACITY} keys are audited. A key without touches in the window loses its
 * place at the next review; until then further keys are refused, which is counted. A key that was
 * refused may have touches in the window that were not counted, so it is included in the report
 * only after a whole window.
 */
final class Audit {
  /*
   * Every stripe counts an audited key under its number, under the lock that the touch holds
   * anyway. A key gets its number before its first touch is counted. A touch looks up the number
   * under the stripe's lock, so a number can be given to another key, see DetectorStripes.reset.
   *
   * audited   volatile; replaced as a whole under this object's monitor, which only the first touch
   *           of a sampled key, the touch that reaches the threshold and a review take
   */
  static final int SAMPLE_BITS = 12;
  static final int CAPACITY = 48;

  private static final long MIX = 0xd6e8feb86659fd93L;

  private final DetectorStripes stripes;
  private final int firstNumber;
  private volatile AuditedKey[] audited = {};
  private long refused;
  private long refusedEpoch = Long.MIN_VALUE / 2;
  private long due;
  private long found;

  Audit(DetectorStripes stripes, int firstNumber) {
    this.stripes = stripes;
    this.firstNumber = firstNumber;
  }

  /** Returns a number whose upper bits depend on all bits of a hash, which a caller may choose. */
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

  /** Returns the audited key of a hash. */
  @Nullable AuditedKey find(long hash) {
    for (AuditedKey one : audited) {
      if (one.hash == hash) {
        return one;
      }
    }
    return null;
  }

  /** Records whether the touch that brought its key to the threshold got a hot verdict. */
  void check(AuditedKey one, Pane pane, Verdict verdict) {
    if (!one.due && stripes.exact(one.number, pane.epoch) >= pane.hotAt) {
      record(one, verdict != Verdict.COOL);
    }
  }

  synchronized void review(Pane pane) {
    AuditedKey[] kept = new AuditedKey[audited.length];
    int count = 0;
    for (AuditedKey one : audited) {
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
    if (count < audited.length) {
      audited = Arrays.copyOf(kept, count);
    }
  }

  synchronized AuditReport report(Pane pane) {
    int keys = 0;
    long sum = 0;
    long max = 0;
    for (AuditedKey one : audited) {
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
    AuditedKey[] all = audited;
    if (find(hash) != null) {
      return;
    }
    if (all.length >= CAPACITY) {
      refused++;
      refusedEpoch = pane.epoch;
      return;
    }
    boolean[] taken = new boolean[CAPACITY];
    for (AuditedKey one : all) {
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
    AuditedKey[] more = Arrays.copyOf(all, all.length + 1);
    more[all.length] = new AuditedKey(hash, number, wholeFrom);
    audited = more;
  }

  /**
   * Counts a key that is due. Two touches that race to the threshold may both be in the exact count
   * before the first of them is judged, so only a second cool verdict is a miss.
   */
  private synchronized void record(AuditedKey one, boolean reported) {
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

  /** A sampled key; its flags are guarded by the audit's monitor; any thread may read due. */
  static final class AuditedKey {
    final int number;
    private final long hash;
    private final long wholeFrom;
    private volatile boolean due;
    private boolean suspect;

    AuditedKey(long hash, int number, long wholeFrom) {
      this.hash = hash;
      this.number = number;
      this.wholeFrom = wholeFrom;
    }
  }
}
