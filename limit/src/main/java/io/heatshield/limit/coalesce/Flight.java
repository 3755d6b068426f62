package io.heatshield.limit.coalesce;

import io.heatshield.limit.BackendUnavailableException;
import io.heatshield.limit.CounterSink;
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

  /** Lets the next flight leave, then tells all; one who throws keeps nobody from being told. */
  private void land(Consumer<Caller> told) {
    if (!landed.compareAndSet(false, true)) {
      return;
    }
    home.landed();
    RuntimeException first = null;
    @Nullable Caller next = last;
    for (int left = last.inRun(); left > 0 && next != null; left--) {
      try {
        told.accept(next);
        home.waited(leftAt - next.joinedAt);
      } catch (RuntimeException e) {
        first = first == null ? e : first;
      }
      next = next.before();
    }
    if (first != null) {
      throw first;
    }
  }
}
