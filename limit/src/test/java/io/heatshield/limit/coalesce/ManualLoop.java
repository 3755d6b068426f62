package io.heatshield.limit.coalesce;

import java.util.ArrayList;
import java.util.List;

/** An event loop whose turns a test runs, and that can drop or reject tasks. */
final class ManualLoop implements CallerLoop {
  private final List<Runnable> asked = new ArrayList<>();
  private final List<Runnable> scheduled = new ArrayList<>();
  private final List<Runnable> landed = new ArrayList<>();
  boolean refusing;

  /** True if a completed batch waits for the next turn, as if completed by another thread. */
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

  /** Runs the delayed tasks that are due. */
  void ring() {
    runAll(scheduled);
  }

  /** Drops all tasks, as an event loop does when it ends. */
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
