package io.heatshield.store;

import java.time.Duration;

/** One cell of first uses, or with {@code -P broken} a count that is read and then written. */
public interface FirstUsesSubject {

  /** Counts a use, unless there are enough. */
  boolean takes();

  /** Returns one that takes a single use more. */
  static FirstUsesSubject almostFull() {
    FirstUsesSubject uses = Boolean.getBoolean("stress.broken") ? new Naive() : new Real();
    for (int i = 1; i < FirstUses.MOST; i++) {
      boolean unused = uses.takes();
    }
    return uses;
  }

  /** The cell itself. */
  final class Real implements FirstUsesSubject {
    private final FirstUses uses = new FirstUses(Duration.ofSeconds(1), 1);

    @Override
    public boolean takes() {
      return uses.takes(0, 0, uses.look(0));
    }
  }

  /** What loses uses. */
  final class Naive implements FirstUsesSubject {
    private volatile int count;

    @Override
    public boolean takes() {
      int before = count;
      count = before + 1;
      return before < FirstUses.MOST;
    }
  }
}
