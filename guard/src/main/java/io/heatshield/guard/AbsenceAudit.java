package io.heatshield.guard;

import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongPredicate;

/**
 * Counts disagreements between the filter and the backend.
 *
 * <p>A key that the filter took for absent and the backend has is a disagreement only if the filter
 * still does not have it when all changes up to the reply have been delivered: until then, another
 * writer may have added it between the check and the reply. At most {@value #MAX_PENDING} keys wait
 * for that; further ones count immediately.
 */
final class AbsenceAudit {
  private static final int MAX_PENDING = 1024;

  private record Pending(long hash, long mark) {}

  private final ChangeFeed changes;
  private final LongPredicate missing;
  private final Queue<Pending> pending = new ArrayBlockingQueue<>(MAX_PENDING);
  private final LongAdder disagreements = new LongAdder();
  private final LongAdder falsePositives = new LongAdder();

  AbsenceAudit(ChangeFeed changes, LongPredicate missing) {
    this.changes = changes;
    this.missing = missing;
  }

  /** Records that the backend has a key which the filter took for absent. */
  void disagree(long hash) {
    long mark = changes.mark();
    if (changes.hasPassed(mark)) {
      count(hash);
    } else if (!pending.offer(new Pending(hash, mark))) {
      disagreements.increment();
    }
  }

  /** Decides the pending cases that can be decided; drops all of them if changes were lost. */
  void decidePending() {
    for (Iterator<Pending> each = pending.iterator(); each.hasNext(); ) {
      Pending next = each.next();
      if (!changes.isDelivering()) {
        each.remove();
      } else if (changes.hasPassed(next.mark)) {
        each.remove();
        count(next.hash);
      }
    }
  }

  void falsePositive() {
    falsePositives.increment();
  }

  long disagreements() {
    return disagreements.sum();
  }

  long falsePositives() {
    return falsePositives.sum();
  }

  private void count(long hash) {
    if (missing.test(hash)) {
      disagreements.increment();
    }
  }
}
