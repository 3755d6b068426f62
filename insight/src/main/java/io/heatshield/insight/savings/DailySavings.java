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
 * What was saved on each of the last {@value #MAX_DAYS} days, in UTC, since the process began.
 *
 * <p>A call that is saved belongs to the day on which it was read off, so what lies between two
 * readings around midnight belongs to the later day. It holds at most as many numbers for each day
 * as the ledger has actions. Any thread may call.
 */
public final class DailySavings {
  /** How many days are kept. */
  public static final int MAX_DAYS = 31;

  private record Place(String name, String scope) {}

  private record Counts(long saved, long wouldHaveSaved) {
    Counts plus(Counts other) {
      return new Counts(saved + other.saved, wouldHaveSaved + other.wouldHaveSaved);
    }

    /** Returns what came since; an action that was taken away and made anew began at 0. */
    Counts since(Counts before) {
      return saved < before.saved || wouldHaveSaved < before.wouldHaveSaved
          ? this
          : new Counts(saved - before.saved, wouldHaveSaved - before.wouldHaveSaved);
    }
  }

  private static final Counts NONE = new Counts(0, 0);

  private final Savings savings;
  private final Clock clock;
  private final TreeMap<LocalDate, Map<Place, Counts>> days = new TreeMap<>();
  private final Map<Place, Counts> last = new HashMap<>();

  /** Creates an account of a ledger. */
  public DailySavings(Savings savings, Clock clock) {
    this.savings = savings;
    this.clock = clock;
  }

  /** Reads the ledger off, and puts what is new down to the present day. */
  public synchronized void read() {
    List<Action.Snapshot> now = savings.snapshot();
    Map<Place, Counts> today =
        days.computeIfAbsent(
            LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC), day -> new HashMap<>());
    var seen = new HashMap<Place, Counts>();
    for (Action.Snapshot action : now) {
      var place = new Place(action.name(), action.scope());
      var counts = new Counts(action.saved(), action.wouldHaveSaved());
      Counts more = counts.since(last.getOrDefault(place, NONE));
      if (!more.equals(NONE)) {
        today.merge(place, more, Counts::plus);
      }
      seen.put(place, counts);
    }
    last.clear();
    last.putAll(seen);
    while (days.size() > MAX_DAYS) {
      days.pollFirstEntry();
    }
  }

  /** Returns the days, the latest first; reads the ledger off before. */
  public synchronized List<Day> days() {
    read();
    var view = new ArrayList<Day>();
    days.descendingMap().forEach((day, places) -> view.add(new Day(day, entries(places))));
    return view;
  }

  private static List<Day.Entry> entries(Map<Place, Counts> places) {
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
