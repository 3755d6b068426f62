package io.heatshield.count;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.LongAdder;

/**
 * A sum for many threads; for the first few of them, an addition costs no more than a plain one.
 *
 * <p>No addition is lost. The sum is exact while no thread is adding. A counter takes about 1.2
 * KiB: use it for the few sums that every call adds to, and a {@code LongAdder} elsewhere.
 */
public final class Counter {
  /*
   * cells   16 times [owner, sum, 6 unused], a cache line each
   *
   *   owner   read: opaque   write: CAS, once, from 0
   *   sum     read: opaque   write: opaque, by the owner only
   *
   * Only one thread writes a sum, so an addition needs no atomic instruction, which would take as
   * long as the rest of a limited clamp of a ring. The owner is a thread's id, which is never
   * reused. A thread whose cell belongs to another thread adds to the LongAdder. Many threads, also
   * short-lived ones, therefore cost no more than with a LongAdder alone. No other data is
   * published through a sum. Pinned by CounterTest and HotRingThreadsTest.
   */
  private static final int CELLS = 16;
  private static final int STRIDE = 8;
  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] cells = new long[(CELLS + 1) * STRIDE];
  private final LongAdder others = new LongAdder();

  /** Adds an amount. */
  public void add(long amount) {
    long thread = Thread.currentThread().getId();
    int owner = ownerIndex((int) thread & (CELLS - 1));
    if ((long) CELL.getOpaque(cells, owner) == thread || claim(owner, thread)) {
      CELL.setOpaque(cells, owner + 1, cells[owner + 1] + amount);
    } else {
      others.add(amount);
    }
  }

  /** Returns the sum. */
  public long sum() {
    long sum = others.sum();
    for (int cell = 0; cell < CELLS; cell++) {
      sum += (long) CELL.getOpaque(cells, ownerIndex(cell) + 1);
    }
    return sum;
  }

  private boolean claim(int owner, long thread) {
    return (long) CELL.getOpaque(cells, owner) == 0 && CELL.compareAndSet(cells, owner, 0L, thread);
  }

  /** Returns the index of a cell's owner, away from other objects at both ends of the array. */
  private static int ownerIndex(int cell) {
    return cell * STRIDE + STRIDE / 2;
  }
}
