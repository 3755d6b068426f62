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
 * Brings what other threads have for the connections of an event loop back to that loop, all that
 * is there in one task: the loop is woken once, and writes once to each connection.
 *
 * <p>Any thread may hand over. What one thread hands over runs in its order.
 */
@SuppressWarnings("FutureReturnValueIgnored") // What is scheduled is never taken back.
public final class HomeLoop implements CallerLoop, Runnable {
  /*
   * called   read: volatile   change: CAS to true by who hands over, set to false by the loop
   *
   * Who hands over adds first and looks at "called" then; the loop clears it first and looks for more
   * then. So one of the two sees the other, and nothing stays behind.
   */
  private static final Logger LOG = LoggerFactory.getLogger(HomeLoop.class);

  private static final FastThreadLocal<@Nullable HomeLoop> CURRENT = new FastThreadLocal<>();

  private final EventExecutor loop;
  private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean called = new AtomicBoolean();

  HomeLoop(EventExecutor loop) {
    this.loop = loop;
  }

  /** Returns the loop that the calling thread is; null if it is none, or none that was entered. */
  public static @Nullable HomeLoop current() {
    return CURRENT.get();
  }

  /**
   * Returns the loop among these that the calling thread is, or null; from now on it is current.
   */
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

  /** Returns whether the calling thread is the loop. */
  public boolean isHere() {
    return loop.inEventLoop();
  }

  /** Has something run by the loop soon; by the calling thread if the loop has ended. */
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

  /** Runs all that was handed over. */
  @Override
  public void run() {
    do {
      for (Runnable next = waiting.poll(); next != null; next = waiting.poll()) {
        try {
          next.run();
        } catch (RuntimeException e) {
          LOG.debug("what was handed to an event loop failed", e);
        }
      }
      called.set(false);
    } while (!waiting.isEmpty() && called.compareAndSet(false, true));
  }
}
