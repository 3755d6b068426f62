package io.heatshield.insight.savings;

import io.heatshield.action.Action;
import io.heatshield.action.Savings;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The savings of each of the last {@value #MAX_DAYS} days, in UTC, since the start of the process.
 * Thread-safe.
 *
 * <p>A saved call belongs to the day on which it was read, so the calls between two reads around
 * midnight belong to the later day. A day has at most one entry per action.
 */
public final class DailySavings {
  /** The number of days. */
  public static final int MAX_DAYS = 31;

  private record ActionId(String name, String scope) {}

  private record Counts(long saved, long wouldHaveSaved) {
    Counts plus(Counts other) {
      return new Counts(saved + other.saved, wouldHaveSaved + other.wouldHaveSaved);
    }

    /** Returns the increase; lower counts mean a new action, which started at 0. */
    Counts since(Counts before) {
      return saved < before.saved || wouldHaveSaved < before.wouldHaveSaved
          ? this
          : new Counts(saved - before.saved, wouldHaveSaved - before.wouldHaveSaved);
    }
  }

  private static final Counts NONE = new Counts(0, 0);

  private final Savings savings;
  private final Clock clock;
  private final TreeMap<LocalDate, Map<ActionId, Counts>> days = new TreeMap<>();
  private final Map<ActionId, Counts> last = new HashMap<>();

  /** Creates an account of savings. */
  public DailySavings(Savings savings, Clock clock) {
    this.savings = savings;
    this.clock = clock;
  }

  /** Reads the savings and adds the increase to the current day. */
  public synchronized void read() {
    List<Action.Snapshot> now = savings.snapshot();
    Map<ActionId, Counts> today =
        days.computeIfAbsent(
            LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC), day -> new HashMap<>());
    var seen = new HashMap<ActionId, Counts>();
    for (Action.Snapshot action : now) {
      var id = new ActionId(action.name(), action.scope());
      var counts = new Counts(action.saved(), action.wouldHaveSaved());
      Counts more = counts.since(last.getOrDefault(id, NONE));
      if (!more.equals(NONE)) {
        today.merge(id, more, Counts::plus);
      }
      seen.put(id, counts);
    }
    last.clear();
    last.putAll(seen);
    while (days.size() > MAX_DAYS) {
      days.pollFirstEntry();
    }
  }

  /** Reads the savings and returns the days, latest first. */
  public synchronized List<Day> days() {
    read();
    var view = new ArrayList<Day>();
    days.descendingMap().forEach((day, places) -> view.add(new Day(day, entries(places))));
    return view;
  }

  private static List<Day.Entry> entries(Map<ActionId, Counts> places) {
    return places.entrySet().stream()
        .map(
            place ->
                new Day.Entry(
                    place.getKey().name(),
                    place.getKey().scope(),
                    place.getValue().saved(),
                    place.getValue().wouldHaveSaved()))
        .sorted(Comparator.comparing(Day.Entry::scope).thenComparing(Day.Entry::name))
        .toList();
  }
}
