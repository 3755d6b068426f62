package io.heatshield.insight.incident;

import io.heatshield.detect.HotKeyDetector;
import io.heatshield.detect.KeyReport;
import io.heatshield.detect.Verdict;
import io.heatshield.insight.scope.ServerScopes;
import io.heatshield.insight.scope.WallTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The incidents of the process: the keys that are hot now, and those that were.
 *
 * <p>It looks at the hot keys of all scopes whenever {@link #poll} is called, about once a second,
 * rather than at each event, so that its work is bounded however many keys turn hot. Of the keys
 * that are hot the {@value #MAX_EXPLAINED} with the highest rates are explained at each poll. At
 * most {@value #MAX_OPEN} are open at a time, which leaves out the cooler of more and counts them,
 * and the last {@value #MAX_CLOSED} ended ones are kept. A key that turns hot again within a minute
 * continues its incident. Any thread may call any method.
 */
public final class IncidentLog {
  /** At most how many incidents are open at a time. */
  public static final int MAX_OPEN = 256;

  /** How many incidents that have ended are kept. */
  public static final int MAX_CLOSED = 500;

  static final int MAX_EXPLAINED = 32;
  static final long SAME_MILLIS = 60_000;

  private record Name(String scope, long hash) {}

  private record Seen(Name name, KeyReport key) {}

  /** Explains a key of a scope, by its bytes; empty if there is no such scope. */
  public interface Explanations
      extends BiFunction<String, byte[], Optional<Map<String, @Nullable Object>>> {}

  private final ServerScopes scopes;
  private final WallTime wall;
  private final Explanations explanations;
  private final Map<Name, Incident> open = new HashMap<>();
  // The newest last.
  private final ArrayDeque<Map.Entry<Name, Incident>> closed = new ArrayDeque<>();
  private final Set<Name> left = new HashSet<>();
  private long leftOut;
  private long lastId;

  /** Creates a log without an incident. */
  public IncidentLog(ServerScopes scopes, WallTime wall, Explanations explanations) {
    this.scopes = scopes;
    this.wall = wall;
    this.explanations = explanations;
  }

  /** Looks which keys are hot now. */
  public void poll() {
    List<Seen> hot = hot();
    Map<Name, Map<String, @Nullable Object>> explained = new HashMap<>();
    for (Seen seen : hot.subList(0, Math.min(MAX_EXPLAINED, hot.size()))) {
      if (seen.key.key().isWhole()) {
        explanations
            .apply(seen.name.scope, seen.key.key().bytes())
            .ifPresent(facts -> explained.put(seen.name, facts));
      }
    }
    update(hot, explained);
  }

  /** Returns the incidents that are open, highest rate first. */
  public synchronized List<Incident> open() {
    return open.values().stream()
        .sorted(Comparator.comparingDouble(Incident::rate).reversed())
        .toList();
  }

  /** Returns the incidents that have ended and are kept, the newest first. */
  public synchronized List<Incident> closed() {
    var newest = new ArrayList<Incident>(closed.size());
    closed.descendingIterator().forEachRemaining(entry -> newest.add(entry.getValue()));
    return newest;
  }

  /** Returns how often a key turned hot and found no place, because too many were hot. */
  public synchronized long leftOut() {
    return leftOut;
  }

  private List<Seen> hot() {
    var hot = new ArrayList<Seen>();
    for (Map.Entry<String, HotKeyDetector> scope : scopes.all().entrySet()) {
      for (KeyReport key : scope.getValue().hot()) {
        if (key.kind() == Verdict.Kind.HOT || key.kind() == Verdict.Kind.EARLY) {
          hot.add(new Seen(new Name(scope.getKey(), key.hash()), key));
        }
      }
    }
    hot.sort(Comparator.comparingDouble((Seen seen) -> seen.key.rate()).reversed());
    return hot;
  }

  private synchronized void update(
      List<Seen> hot, Map<Name, Map<String, @Nullable Object>> explained) {
    var names = new HashSet<Name>();
    hot.forEach(seen -> names.add(seen.name));
    end(names);
    left.retainAll(names);
    for (Seen seen : hot) {
      Incident known = open.get(seen.name);
      if (known == null && open.size() >= MAX_OPEN) {
        leftOut += left.add(seen.name) ? 1 : 0;
      } else {
        Incident before = known == null ? begin(seen) : known;
        open.put(seen.name, before.seen(seen.key.rate(), explained.get(seen.name)));
      }
    }
  }

  private void end(Set<Name> stillHot) {
    long now = wall.now().toEpochMilli();
    Iterator<Map.Entry<Name, Incident>> each = open.entrySet().iterator();
    while (each.hasNext()) {
      Map.Entry<Name, Incident> entry = each.next();
      if (!stillHot.contains(entry.getKey())) {
        closed.add(Map.entry(entry.getKey(), entry.getValue().ended(now)));
        each.remove();
      }
    }
    while (closed.size() > MAX_CLOSED) {
      closed.remove();
    }
  }

  /** Returns the incident to go on with: one that has just ended, or a new one. */
  private Incident begin(Seen seen) {
    long recent = wall.now().toEpochMilli() - SAME_MILLIS;
    Iterator<Map.Entry<Name, Incident>> newest = closed.descendingIterator();
    while (newest.hasNext()) {
      Map.Entry<Name, Incident> entry = newest.next();
      Long end = entry.getValue().endMillis();
      if (end == null || end < recent) {
        break;
      }
      if (entry.getKey().equals(seen.name)) {
        newest.remove();
        return entry.getValue();
      }
    }
    return new Incident(
        ++lastId,
        seen.name.scope,
        seen.key.key().toString(),
        seen.key.key().label(),
        wall.at(seen.key.sinceNanos()).toEpochMilli(),
        null,
        1,
        seen.key.rate(),
        seen.key.rate(),
        null);
  }
}
