package io.heatshield.action;

import io.heatshield.count.Counter;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * One protective action of one scope, for example coalescing in a rate-limit domain: its mode, and
 * the calls to the store that it saved or would have saved.
 *
 * <p>Every mechanism asks {@link #apply} at the point where it takes effect and does what the
 * answer says; there is no other place that looks at a mode. Any thread may call any method. A
 * change of mode holds for calls that begin after it; a call that races the change goes by the one
 * or the other. No count is lost.
 */
public final class Action {
  private final String name;
  private final String scope;
  private final Count did = new Count();
  private final Count wouldHave = new Count();
  private volatile Mode mode;
  private volatile @Nullable KeyEffects effects;

  Action(String name, String scope, Mode mode) {
    this.name = name;
    this.scope = scope;
    this.mode = mode;
  }

  /**
   * Records that this action applies to a call, and tells the caller whether to carry it out.
   *
   * @param calls the calls to the store that acting saves; 0 for an action that saves none
   * @return true in {@link Mode#ENFORCE}, and only there
   */
  public boolean apply(long calls) {
    return switch (mode) {
      case OFF -> false;
      case OBSERVE -> {
        wouldHave.apply(calls);
        yield false;
      }
      case ENFORCE -> {
        did.apply(calls);
        yield true;
      }
    };
  }

  /**
   * Does as {@link #apply(long)} does for a call that is about one key, and reports the key to the
   * scope's {@link KeyEffects}.
   *
   * @param hash the key's hash
   */
  public boolean apply(long calls, long hash) {
    boolean enforced = apply(calls);
    KeyEffects known = effects;
    if (known != null && mode != Mode.OFF) {
      known.applied(name, hash, enforced);
    }
    return enforced;
  }

  /**
   * Adds calls that an act which {@link #apply} permitted has saved, where that is known only
   * later.
   */
  public void saved(long calls) {
    did.save(calls);
  }

  /** Adds calls that an act which {@link #apply} did not permit would have saved. */
  public void wouldHaveSaved(long calls) {
    if (mode == Mode.OBSERVE) {
      wouldHave.save(calls);
    }
  }

  /** Returns the present mode. */
  public Mode mode() {
    return mode;
  }

  /** Sets the mode for calls to come. */
  public void mode(Mode next) {
    mode = next;
  }

  void effects(@Nullable KeyEffects next) {
    effects = next;
  }

  /** Returns the counts so far. */
  public Snapshot snapshot() {
    return new Snapshot(
        name, scope, mode(), did.applied(), did.saved(), wouldHave.applied(), wouldHave.saved());
  }

  /** How often, and the calls that this saved; an act that saves one costs one addition. */
  private static final class Count {
    private final Counter ones = new Counter();
    private final LongAdder others = new LongAdder();
    private final LongAdder calls = new LongAdder();

    void apply(long saved) {
      if (saved == 1) {
        ones.add(1);
      } else {
        others.increment();
        calls.add(saved);
      }
    }

    void save(long saved) {
      calls.add(saved);
    }

    long applied() {
      return ones.sum() + others.sum();
    }

    long saved() {
      return ones.sum() + calls.sum();
    }
  }

  /**
   * What an action did, or would have done, since it was made.
   *
   * @param name what is done, for example {@code coalesce}
   * @param scope where it is done
   * @param mode the mode when the snapshot was taken
   * @param applied how often it acted
   * @param saved the calls to the store that this saved
   * @param wouldHaveApplied how often it would have acted, while observing
   * @param wouldHaveSaved the calls that this would have saved
   */
  public record Snapshot(
      String name,
      String scope,
      Mode mode,
      long applied,
      long saved,
      long wouldHaveApplied,
      long wouldHaveSaved) {}
}
