package io.heatshield.rls;

import io.heatshield.limit.coalesce.CallerLoop;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks of other threads on an event loop, all pending ones together: the loop is woken once,
 * and writes once to each connection.
 *
 * <p>Any thread may submit. The tasks of one thread run in order.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Scheduled tasks are never cancelled.
public final class HomeLoop implements CallerLoop, Runnable {
  /*
   * called   volatile; CAS to true by a thread that submits, set to false by the loop
   *
   * A thread adds its task first and reads "called" then; the loop clears it first and reads the
   * queue then. So one of the two sees the other, and no task is left behind.
   */
  private static final Logger LOG = LoggerFactory.getLogger(HomeLoop.class);

  private static final FastThreadLocal<@Nullable HomeLoop> CURRENT = new FastThreadLocal<>();

  private final EventExecutor loop;
  private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean called = new AtomicBoolean();

  HomeLoop(EventExecutor loop) {
    this.loop = loop;
  }

  /** Returns the loop that the calling thread runs; null if it runs none that was entered. */
  public static @Nullable HomeLoop current() {
    return CURRENT.get();
  }

  /** Returns the loop among these that the calling thread runs, or null, and makes it current. */
  public static @Nullable HomeLoop enter(EventExecutorGroup loops) {
    HomeLoop home = CURRENT.get();
    if (home == null) {
      for (EventExecutor loop : loops) {
        if (loop.inEventLoop()) {
          home = new HomeLoop(loop);
          CURRENT.set(home);
        }
      }
    }
    return home;
  }

  /** Returns whether the calling thread runs the loop. */
  public boolean isHere() {
    return loop.inEventLoop();
  }

  /** Runs a task on the loop soon, or on the calling thread if the loop has ended. */
  public void hand(Runnable work) {
    waiting.add(work);
    if (!called.get() && called.compareAndSet(false, true) && !runAtTurnEnd(this)) {
      run();
    }
  }

  @Override
  public boolean runAtTurnEnd(Runnable work) {
    try {
      loop.execute(work);
      return true;
    } catch (RejectedExecutionException ended) {
      return false;
    }
  }

  @Override
  public boolean runAfter(long nanos, Runnable work) {
    try {
      loop.schedule(work, nanos, TimeUnit.NANOSECONDS);
      return true;
    } catch (RejectedExecutionException ended) {
      return false;
    }
  }

  @Override
  public void runOnLoop(Runnable work) {
    if (isHere()) {
      work.run();
    } else {
      hand(work);
    }
  }

  /** Runs all pending tasks. */
  @Override
  public void run() {
    do {
      for (Runnable next = waiting.poll(); next != null; next = waiting.poll()) {
        try {
          next.run();
        } catch (RuntimeException e) {
          LOG.debug("task of an event loop threw", e);
        }
      }
      called.set(false);
    } while (!waiting.isEmpty() && called.compareAndSet(false, true));
  }
}
