package io.heatshield.limit.coalesce;

import io.heatshield.limit.CounterSink;
import io.heatshield.limit.Limit;
import org.jspecify.annotations.Nullable;

/**
 * One call for a hot counter, linked to the one that came before it in the same gathering.
 *
 * <p>A run is what follows one another for the same window: it becomes one flight.
 */
final class Caller {
  /*
   * before, place, inRun, sum and since are written by the caller's own thread until the caller is published,
   * and by nobody afterwards.
   */
  final Limit limit;
  final long hits;
  final long clockMillis;
  final long window;
  final long joinedAt;
  final CounterSink sink;
  final int slot;
  final @Nullable CallerLoop loop;
  private @Nullable Caller before;
  private int place;
  private int inRun;
  private long sum;
  private long since;

  Caller(
      Limit limit,
      long hits,
      long clockMillis,
      long joinedAt,
      CounterSink sink,
      int slot,
      @Nullable CallerLoop loop) {
    this.limit = limit;
    this.hits = hits;
    this.clockMillis = clockMillis;
    this.window = limit.unit().window(clockMillis);
    this.joinedAt = joinedAt;
    this.sink = sink;
    this.slot = slot;
    this.loop = loop;
  }

  /** Takes the place after another, or the first one. */
  void follow(@Nullable Caller last) {
    boolean sameRun = last != null && last.window == window;
    before = last;
    place = last == null ? 1 : last.place + 1;
    inRun = last != null && sameRun ? last.inRun + 1 : 1;
    sum = last != null && sameRun ? last.sum + hits : hits;
    since = last == null ? joinedAt : last.since;
  }

  /** Returns who came before, of whatever run. */
  @Nullable Caller before() {
    return before;
  }

  /** Returns the number of callers up to this one. */
  int place() {
    return place;
  }

  /** Returns the number of callers of the run up to this one. */
  int inRun() {
    return inRun;
  }

  /** Returns when the first of the gathering joined. */
  long since() {
    return since;
  }

  /** Returns the hits of the run up to this caller, its own included. */
  long sum() {
    return sum;
  }
}
