package io.heatshield.fleet;

import io.heatshield.fleet.FleetMember.State;
import io.heatshield.key.KeyText;
import io.heatshield.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Makes the one answer of what nodes publish, and knows which of them are late or missing.
 *
 * <p>It has no clock but the ticker of its own process and reads none from a snapshot: a node's age
 * is the time since its last snapshot was seen here for the first time. At most {@value
 * FleetView#MAX_NODES} nodes are known; more are refused. Used by one thread.
 */
public final class FleetMerger {
  private static final int LATE_AFTER_INTERVALS = 2;
  private static final Duration FORGET_AFTER = Duration.ofMinutes(1);

  private final String self;
  private final long fingerprint;
  private final Ticker ticker;
  private final Map<String, Node> nodes = new TreeMap<>();
  private final Map<String, HotMemory> hot = new HashMap<>();
  private final long start;
  private long views;

  /**
   * Creates a merger that knows no node.
   *
   * @param self the name of this process's node, whose sketch the others' must be like
   * @param fingerprint that of this process's hash
   */
  public FleetMerger(String self, long fingerprint, Ticker ticker) {
    this.self = self;
    this.fingerprint = fingerprint;
    this.ticker = ticker;
    this.start = ticker.nanos();
  }

  /** Returns whether a node's snapshot of this number would tell something new. */
  public boolean lacks(String node, long sequence) {
    Node known = nodes.get(node);
    return known == null
        || known.sequence != sequence
        || millisSince(known.seen) > known.patience();
  }

  /** Takes what a node has published; returns false if there is no room for one more node. */
  public boolean take(String name, long sequence, byte[] bytes) {
    if (!nodes.containsKey(name) && nodes.size() >= FleetView.MAX_NODES) {
      return false;
    }
    Node node = nodes.computeIfAbsent(name, n -> new Node());
    node.missing = false;
    if (node.sequence == sequence && (node.snapshot != null || !node.refused.isEmpty())) {
      return true;
    }
    node.sequence = sequence;
    node.seen = ticker.nanos();
    node.clear();
    try {
      NodeSnapshot snapshot = NodeSnapshot.unpack(bytes, fingerprint);
      node.sequence = snapshot.sequence();
      node.snapshot = snapshot;
      node.parts =
          snapshot.scopes().stream().map(heat -> new ScopePart(KeyText.of(name), heat)).toList();
    } catch (RefusedException e) {
      node.refused = String.valueOf(e.getMessage());
    }
    return true;
  }

  /** Takes note that what a node has published has ended, or was never there. */
  public void gone(String name) {
    if (nodes.containsKey(name) || nodes.size() < FleetView.MAX_NODES) {
      Node node = nodes.computeIfAbsent(name, n -> new Node());
      node.missing = true;
      node.clear();
    }
  }

  /** Forgets all nodes but these: the others have left. */
  public void keepOnly(Set<String> names) {
    nodes.keySet().retainAll(names);
  }

  /** Returns the nodes that have been missing for a minute. */
  public List<String> longMissing() {
    return nodes.entrySet().stream()
        .filter(node -> node.getValue().missing)
        .filter(node -> millisSince(node.getValue().seen) > FORGET_AFTER.toMillis())
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Takes over which keys were hot, and since when, from a view of another merger. */
  public void adopt(FleetView view) {
    hot.clear();
    for (FleetScope scope : view.scopes()) {
      memory(scope.scope()).adopt(scope.keys());
    }
  }

  /** Returns the answer as of now. */
  public FleetView merge() {
    var refused = new HashMap<String, String>();
    var merges = new TreeMap<String, ScopeMerge>();
    var shapes = new HashMap<String, ScopeHeat>();
    shape(nodes.get(self), shapes);
    nodes.values().forEach(node -> shape(node, shapes));
    nodes.forEach(
        (name, node) -> {
          for (ScopePart part : node.parts) {
            ScopeHeat heat = part.heat();
            ScopeHeat shape = shapes.getOrDefault(heat.scope(), heat);
            String differs = shape.differs(heat);
            if (!differs.isEmpty()) {
              refused.putIfAbsent(name, "scope " + heat.scope() + ": " + differs);
            } else if (merges.containsKey(heat.scope())
                || merges.size() < NodeSnapshot.MAX_SCOPES) {
              merges.computeIfAbsent(heat.scope(), s -> new ScopeMerge(shape)).add(part);
            }
          }
        });
    hot.keySet().retainAll(merges.keySet());
    var scopes = new ArrayList<FleetScope>();
    merges.forEach((scope, merge) -> scopes.add(merge.scope(memory(scope))));
    return new FleetView(self, ++views, members(refused), savings(), scopes);
  }

  private static void shape(@Nullable Node node, Map<String, ScopeHeat> shapes) {
    if (node != null && node.snapshot != null) {
      node.snapshot.scopes().forEach(heat -> shapes.putIfAbsent(heat.scope(), heat));
    }
  }

  private HotMemory memory(String scope) {
    HotMemory memory = hot.computeIfAbsent(scope, s -> new HotMemory());
    memory.now(millisSince(start));
    return memory;
  }

  private List<FleetMember> members(Map<String, String> refused) {
    var members = new ArrayList<FleetMember>();
    nodes.forEach(
        (name, node) -> {
          long age = Math.max(0, millisSince(node.seen));
          String why = node.refused.isEmpty() ? refused.getOrDefault(name, "") : node.refused;
          State state = State.LIVE;
          if (node.missing) {
            state = State.MISSING;
            why = "what it published last has ended";
          } else if (!why.isEmpty()) {
            state = State.REFUSED;
          } else if (age > node.patience()) {
            state = State.LATE;
            why = "it has not published for " + age + " ms";
          } else if (node.snapshot != null) {
            why = amiss(node.snapshot);
          }
          members.add(new FleetMember(KeyText.of(name), state, age, KeyText.of(why)));
        });
    return members;
  }

  private static String amiss(NodeSnapshot snapshot) {
    return snapshot.leftOut() == 0
        ? snapshot.health()
        : snapshot.leftOut() + " of its scopes had no room";
  }

  private List<Saved> savings() {
    var all = new TreeMap<String, Saved>();
    for (Node node : nodes.values()) {
      if (node.snapshot != null) {
        node.snapshot.savings().forEach(saved -> all.merge(saved.action(), saved, Saved::plus));
      }
    }
    return all.values().stream().limit(NodeSnapshot.MAX_ACTIONS).toList();
  }

  private long millisSince(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(ticker.nanos() - nanos);
  }

  /** What is known of a node. */
  private final class Node {
    long sequence = -1;
    long seen = ticker.nanos();
    boolean missing;
    String refused = "";
    @Nullable NodeSnapshot snapshot;
    List<ScopePart> parts = List.of();

    void clear() {
      snapshot = null;
      parts = List.of();
      refused = "";
    }

    long patience() {
      NodeSnapshot last = snapshot;
      return LATE_AFTER_INTERVALS * (last == null ? 1000 : last.intervalMillis());
    }
  }
}
