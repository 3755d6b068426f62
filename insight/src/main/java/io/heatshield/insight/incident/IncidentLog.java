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
 * The open and ended incidents of the process. Thread-safe.
 *
 * <p>{@link #poll} reads the hot keys of all scopes, about once a second. Polling instead of
 * listening bounds the work however many keys turn hot. Each poll explains the {@value
 * #MAX_EXPLAINED} hot keys with the highest rates. At most {@value #MAX_OPEN} incidents are open;
 * further keys, those with lower rates, are omitted and counted. The last {@value #MAX_CLOSED}
 * ended incidents are kept. A key that turns hot again within a minute continues its incident.
 */
public final class IncidentLog {
  /** The maximum number of open incidents. */
  public static final int MAX_OPEN = 256;

  /** The maximum number of ended incidents. */
  public static final int MAX_CLOSED = 500;

  /** The bytes of an incident with its explanation and a key of ordinary length. */
  private static final int INCIDENT_BYTES = 4096;

  static final int MAX_EXPLAINED = 32;
  static final long SAME_MILLIS = 60_000;

  private record KeyId(String scope, long hash) {}

  private record HotKey(KeyId id, KeyReport report) {}

  /** Explains a key of a scope; empty if there is no such scope. */
  public interface Explanations
      extends BiFunction<String, byte[], Optional<Map<String, @Nullable Object>>> {}

  private final ServerScopes scopes;
  private final WallTime wall;
  private final Explanations explanations;
  private final Map<KeyId, Incident> open = new HashMap<>();
  // Oldest first.
  private final ArrayDeque<Map.Entry<KeyId, Incident>> closed = new ArrayDeque<>();
  private final Set<KeyId> omitted = new HashSet<>();
  private long leftOut;
  private long lastId;

  /** Creates a log without incidents. */
  public IncidentLog(ServerScopes scopes, WallTime wall, Explanations explanations) {
    this.scopes = scopes;
    this.wall = wall;
    this.explanations = explanations;
  }

  /** Returns the memory of the most incidents, in bytes. */
  public static long maxBytes() {
    return (long) (MAX_OPEN + MAX_CLOSED) * INCIDENT_BYTES;
  }

  /** Updates the incidents from the keys that are hot now. */
  public void poll() {
    List<HotKey> hot = hot();
    Map<KeyId, Map<String, @Nullable Object>> explained = new HashMap<>();
    for (HotKey key : hot.subList(0, Math.min(MAX_EXPLAINED, hot.size()))) {
      if (key.report.key().isWhole()) {
        explanations
            .apply(key.id.scope, key.report.key().bytes())
            .ifPresent(facts -> explained.put(key.id, facts));
      }
    }
    update(hot, explained);
  }

  /** Returns the open incidents, highest rate first. */
  public synchronized List<Incident> open() {
    return open.values().stream()
        .sorted(Comparator.comparingDouble(Incident::rate).reversed())
        .toList();
  }

  /** Returns the ended incidents, newest first. */
  public synchronized List<Incident> closed() {
    var newest = new ArrayList<Incident>(closed.size());
    closed.descendingIterator().forEachRemaining(entry -> newest.add(entry.getValue()));
    return newest;
  }

  /** Returns how often a hot key was omitted because there were too many open incidents. */
  public synchronized long leftOut() {
    return leftOut;
  }

  private List<HotKey> hot() {
    var hot = new ArrayList<HotKey>();
    for (Map.Entry<String, HotKeyDetector> scope : scopes.all().entrySet()) {
      for (KeyReport report : scope.getValue().hot()) {
        if (report.kind() == Verdict.Kind.HOT || report.kind() == Verdict.Kind.EARLY) {
          hot.add(new HotKey(new KeyId(scope.getKey(), report.key().keyedHash()), report));
        }
      }
    }
    hot.sort(Comparator.comparingDouble((HotKey key) -> key.report.rate()).reversed());
    return hot;
  }

  private synchronized void update(
      List<HotKey> hot, Map<KeyId, Map<String, @Nullable Object>> explained) {
    var ids = new HashSet<KeyId>();
    hot.forEach(key -> ids.add(key.id));
    end(ids);
    omitted.retainAll(ids);
    for (HotKey key : hot) {
      Incident known = open.get(key.id);
      if (known == null && open.size() >= MAX_OPEN) {
        leftOut += omitted.add(key.id) ? 1 : 0;
      } else {
        Incident before = known == null ? begin(key) : known;
        open.put(key.id, before.seen(key.report.rate(), explained.get(key.id)));
      }
    }
  }

  private void end(Set<KeyId> stillHot) {
    long now = wall.now().toEpochMilli();
    open.forEach(
        (id, incident) -> {
          if (!stillHot.contains(id)) {
            closed.add(Map.entry(id, incident.ended(now)));
          }
        });
    open.keySet().retainAll(stillHot);
    while (closed.size() > MAX_CLOSED) {
      closed.remove();
    }
  }

  /** Returns the incident of a key that turned hot: one that has just ended, or a new one. */
  private Incident begin(HotKey key) {
    long recent = wall.now().toEpochMilli() - SAME_MILLIS;
    Iterator<Map.Entry<KeyId, Incident>> newest = closed.descendingIterator();
    while (newest.hasNext()) {
      Map.Entry<KeyId, Incident> entry = newest.next();
      Long end = entry.getValue().endMillis();
      if (end == null || end < recent) {
        break;
      }
      if (entry.getKey().equals(key.id)) {
        newest.remove();
        return entry.getValue();
      }
    }
    return new Incident(
        ++lastId,
        key.id.scope,
        key.report.key().toString(),
        key.report.key().label(),
        wall.before(key.report.takenAt(), key.report.hotFor()).toEpochMilli(),
        null,
        1,
        key.report.rate(),
        key.report.rate(),
        null);
  }
}
