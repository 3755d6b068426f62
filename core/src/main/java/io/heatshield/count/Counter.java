package io.heatshield.count;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.LongAdder;

/**
 * A sum that any thread may add to; for the first few threads this costs a plain addition.
 *
 * <p>No addition is lost. The sum is exact when no thread is adding. A counter takes about 1.2 KiB:
 * use it for the few sums that every call adds to, and a {@code LongAdder} elsewhere.
 */
public final class Counter {
  /*
   * cells   [owner, sum, 6 unused]   for each of 16 owners, a cache line each
   *
   *   owner   read: opaque   write: CAS, once, from 0
   *   sum     read: opaque   write: opaque, by the owner alone
   *
   * A locked instruction costs as much as the rest of a limited clamp of a ring. Only one thread
   * ever writes a cell, so none is needed. The owner is a thread's id, which is never reused. A
   * thread whose cell has another owner adds to the rest: with more threads than cells, or many
   * short-lived ones, this is no worse than an adder. Nothing else is published through a sum.
   * Pinned by HotRingThreadsTest and CounterTest.
   */
  private static final int CELLS = 16;
  private static final int STRIDE = 8;
  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] cells = new long[(CELLS + 1) * STRIDE];
  private final LongAdder rest = new LongAdder();

  /** Adds an amount. */
  public void add(long amount) {
    long[] in = cells;
    long thread = Thread.currentThread().getId();
    int at = ((int) thread & (CELLS - 1)) * STRIDE + STRIDE / 2;
    if ((long) CELL.getOpaque(in, at) == thread || claims(at, thread)) {
      CELL.setOpaque(in, at + 1, in[at + 1] + amount);
    } else {
      rest.add(amount);
    }
  }

  /** Returns the sum. */
  public long sum() {
    long sum = rest.sum();
    for (int cell = 0; cell < CELLS; cell++) {
      sum += (long) CELL.getOpaque(cells, cell * STRIDE + STRIDE / 2 + 1);
    }
    return sum;
  }

  private boolean claims(int at, long thread) {
    return (long) CELL.getOpaque(cells, at) == 0 && CELL.compareAndSet(cells, at, 0L, thread);
  }
}
