package io.heatshield.limit.coalesce;

import java.util.ArrayList;
import java.util.List;

/** An event loop that a test turns by hand, and that may drop what it was asked, or refuse it. */
final class HandLoop implements CallerLoop {
  private final List<Runnable> asked = new ArrayList<>();
  private final List<Runnable> scheduled = new ArrayList<>();
  boolean refusing;

  @Override
  public boolean atTurnEnd(Runnable work) {
    return !refusing && asked.add(work);
  }

  @Override
  public boolean after(long nanos, Runnable work) {
    return !refusing && scheduled.add(work);
  }

  /** Ends the turn. */
  void turn() {
    runAll(asked);
  }

  /** Does what was put off, whose time has come. */
  void ring() {
    runAll(scheduled);
  }

  /** Forgets what it was asked, as a loop does that ends. */
  void drop() {
    asked.clear();
    scheduled.clear();
  }

  int asked() {
    return asked.size();
  }

  private static void runAll(List<Runnable> work) {
    List<Runnable> now = List.copyOf(work);
    work.clear();
    now.forEach(Runnable::run);
  }
}
