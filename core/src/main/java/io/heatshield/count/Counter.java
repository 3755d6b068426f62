package io.heatshield.count;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.LongAdder;

/**
 * A sum that any thread may add to, at the price of a plain addition for the first few threads.
 *
 * <p>Nothing is lost. The sum is exact when nobody is adding. About 1.2 KiB: for what there are few
 * of and what every call adds to; elsewhere a {@code LongAdder} does.
 */
public final class Counter {
  /*
   * cells   [owner, sum, 6 free]   for each of 16 owners, a cache line each
   *
   *   owner   read: opaque   write: CAS, once, from 0
   *   sum     read: opaque   write: opaque, by the owner alone
   *
   * A locked instruction costs as much as all else that a limited clamp of a ring does, and only one thread ever writes a cell,
   * which needs none. The owner is a thread's number, never given twice. A thread whose cell has another owner adds to
   * the rest: with more threads than cells, or many short-lived ones, this is no worse than an adder. Nothing else
   * is published through a sum. Pinned by HotRingThreadsTest and CounterTest.
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
