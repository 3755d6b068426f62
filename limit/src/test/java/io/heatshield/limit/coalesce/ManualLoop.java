package io.heatshield.limit.coalesce;

import java.util.ArrayList;
import java.util.List;

/** An event loop that a test turns by hand, and that may drop what it was asked, or refuse it. */
final class ManualLoop implements CallerLoop {
  private final List<Runnable> asked = new ArrayList<>();
  private final List<Runnable> scheduled = new ArrayList<>();
  private final List<Runnable> landed = new ArrayList<>();
  boolean refusing;

  /** Whether a landing waits for the next turn, as on a loop that another thread brings it to. */
  boolean away;

  @Override
  public boolean runAtTurnEnd(Runnable work) {
    return !refusing && asked.add(work);
  }

  @Override
  public boolean runAfter(long nanos, Runnable work) {
    return !refusing && scheduled.add(work);
  }

  @Override
  public void runOnLoop(Runnable work) {
    if (away && !refusing) {
      landed.add(work);
    } else {
      work.run();
    }
  }

  /** Ends the turn. */
  void turn() {
    runAll(landed);
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

  int landed() {
    return landed.size();
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
