package io.heatshield.limit.coalesce;

import io.heatshield.limit.BackendUnavailableException;
import io.heatshield.limit.CounterSink;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One call that stands for those of a whole run: it adds their sum, and tells each the count that
 * it would have got alone.
 */
final class Flight implements CounterSink {
  private final Flights home;
  private final Caller last;
  private final long leftAt;
  private final AtomicBoolean landed = new AtomicBoolean();
  private boolean failed;

  Flight(Flights home, Caller last, long leftAt) {
    this.home = home;
    this.last = last;
    this.leftAt = leftAt;
  }

  @Override
  public void counted(int slot, long count) {
    long base = count - last.sum();
    land(caller -> caller.sink.counted(caller.slot, base + caller.sum()));
  }

  @Override
  public void failed(int slot, BackendUnavailableException reason) {
    failed = true;
    land(caller -> caller.sink.failed(caller.slot, reason));
  }

  /** Returns whether it failed on this very thread; of another it may not know. */
  boolean hasFailed() {
    return failed;
  }

  /**
   * Lets the next flight leave, then tells all: those of an event loop by that loop, in one go, so
   * that what a caller left on one processor is not carried to another and back.
   */
  private void land(Consumer<Caller> told) {
    if (!landed.compareAndSet(false, true)) {
      return;
    }
    home.landed();
    var loops = new ArrayList<@Nullable CallerLoop>(1);
    forEach(
        caller -> {
          if (!loops.contains(caller.loop)) {
            loops.add(caller.loop);
          }
        });
    RuntimeException first = null;
    for (CallerLoop loop : loops) {
      try {
        if (loop == null) {
          tell(null, told);
        } else {
          loop.land(() -> tell(loop, told));
        }
      } catch (RuntimeException e) {
        first = first == null ? e : first;
      }
    }
    if (first != null) {
      throw first;
    }
  }

  /** Tells the callers of one loop; one who throws keeps nobody from being told. */
  private void tell(@Nullable CallerLoop loop, Consumer<Caller> told) {
    var thrown = new ArrayList<RuntimeException>(0);
    forEach(
        caller -> {
          if (caller.loop == loop) {
            try {
              told.accept(caller);
              home.waited(leftAt - caller.joinedAt);
            } catch (RuntimeException e) {
              thrown.add(e);
            }
          }
        });
    if (!thrown.isEmpty()) {
      throw thrown.get(0);
    }
  }

  private void forEach(Consumer<Caller> visitor) {
    @Nullable Caller next = last;
    for (int left = last.inRun(); left > 0 && next != null; left--) {
      visitor.accept(next);
      next = next.before();
    }
  }
}
