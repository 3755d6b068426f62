package io.heatshield.action;

import io.heatshield.count.Counter;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * One protective action of one scope, for example coalescing in a rate-limit domain: its mode, and
 * the calls to the store that it saved or would have saved.
 *
 * <p>Every mechanism calls {@link #apply} at the point where it takes effect and acts only if that
 * returns true; no other code reads a mode. Any thread may call any method. A change of mode
 * applies to calls that begin after it; a call that races the change uses the old or the new mode.
 * No count is lost.
 */
public final class Action {
  private final String name;
  private final String scope;
  private final Count enforced = new Count();
  private final Count observed = new Count();
  private volatile Mode mode;
  private volatile @Nullable KeyEffects effects;

  Action(String name, String scope, Mode mode) {
    this.name = name;
    this.scope = scope;
    this.mode = mode;
  }

  /**
   * Counts one application of this action, and returns whether the caller must act.
   *
   * @param calls the calls to the store that the action saves; 0 for an action that saves none
   * @return true in {@link Mode#ENFORCE}, false in the other modes
   */
  public boolean apply(long calls) {
    return switch (mode) {
      case OFF -> false;
      case OBSERVE -> {
        observed.apply(calls);
        yield false;
      }
      case ENFORCE -> {
        enforced.apply(calls);
        yield true;
      }
    };
  }

  /**
   * Applies this action to a call for one key, like {@link #apply(long)}, and reports the key to
   * the scope's {@link KeyEffects}.
   *
   * @param hash the key's hash
   */
  public boolean apply(long calls, long hash) {
    boolean act = apply(calls);
    KeyEffects listener = effects;
    if (listener != null && mode != Mode.OFF) {
      listener.applied(name, hash, act);
    }
    return act;
  }

  /** Adds saved calls of an earlier {@link #apply} that returned true. */
  public void saved(long calls) {
    enforced.save(calls);
  }

  /** Adds calls that would have been saved if an earlier {@link #apply} had returned true. */
  public void wouldHaveSaved(long calls) {
    if (mode == Mode.OBSERVE) {
      observed.save(calls);
    }
  }

  /** Returns the current mode. */
  public Mode mode() {
    return mode;
  }

  /** Sets the mode of later calls. */
  public void mode(Mode next) {
    mode = next;
  }

  void effects(@Nullable KeyEffects next) {
    effects = next;
  }

  /** Returns the counts so far. */
  public Snapshot snapshot() {
    return new Snapshot(
        name,
        scope,
        mode(),
        enforced.applied(),
        enforced.saved(),
        observed.applied(),
        observed.saved());
  }

  /**
   * The number of applications and of saved calls. An application that saves one call, the common
   * case, costs one addition.
   */
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
   * The counts of an action since it was created.
   *
   * @param name the name of the action, for example {@code coalesce}
   * @param scope the scope of the action
   * @param mode the mode when the snapshot was taken
   * @param applied the number of applications
   * @param saved the calls to the store that they saved
   * @param wouldHaveApplied the number of applications in {@link Mode#OBSERVE}
   * @param wouldHaveSaved the calls that these would have saved
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
