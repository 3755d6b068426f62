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
  /*
   * A node is missing when it has published nothing for three intervals in which somebody looked.
   * From one look to the next at most an interval counts: while this process, or Redis, or all of
   * them stood still, nobody could have been seen, and none is missed for it. How long each has
   * been waited for goes from one merger to the next with the view.
   *
   * A node that is not in the roster has left, unless the roster itself was lost (FLUSHALL, a Redis
   * that restarted empty): then all nodes are kept for three intervals, in which each one that
   * lives publishes again. A merger that has their snapshots goes on with them; one that knows them
   * only by a view calls them lost until then.
   */
  static final int LIFE_IN_INTERVALS = 3;
  private static final int LATE_AFTER_INTERVALS = 2;
  private static final Duration FORGET_AFTER = Duration.ofMinutes(1);
  private static final Duration LONGEST_AGE = Duration.ofDays(1);

  private final String self;
  private final long fingerprint;
  private final long longestLook;
  private final Ticker ticker;
  private final Map<String, Node> nodes = new TreeMap<>();
  private final Map<String, HotMemory> hot = new HashMap<>();
  private final long start;
  private long lastLook;
  private long looked;
  private long keepUntil;
  private long views;

  /**
   * Creates a merger that knows no node.
   *
   * @param self the name of this process's node, whose sketch the others' must be like
   * @param fingerprint that of this process's hash
   * @param interval how often this process publishes; it looks at least as often
   */
  public FleetMerger(String self, long fingerprint, Duration interval, Ticker ticker) {
    this.self = self;
    this.fingerprint = fingerprint;
    this.longestLook = interval.toNanos();
    this.ticker = ticker;
    this.start = ticker.nanos();
    this.lastLook = start;
  }

  /** Takes note that the roster was lost: who is not in it may have to publish again first. */
  public void rosterLost() {
    keepUntil = looked + LIFE_IN_INTERVALS * longestLook;
  }

  /** Notes that the roster was read now, and forgets all nodes but those in it: they have left. */
  public void look(Set<String> names) {
    long now = ticker.nanos();
    looked += Math.min(now - lastLook, longestLook);
    lastLook = now;
    if (looked >= keepUntil) {
      nodes.keySet().retainAll(names);
    }
    nodes.values().forEach(Node::endIfOld);
  }

  /** Returns whether a node's snapshot of this number would tell something new. */
  public boolean lacks(String node, long sequence) {
    Node known = nodes.get(node);
    return known == null || known.sequence < sequence || known.isUnread() || known.mayHaveEnded();
  }

  /** Takes what a node has published; returns false if there is no room for one more node. */
  public boolean take(String name, long sequence, byte[] bytes) {
    if (!nodes.containsKey(name) && nodes.size() >= FleetView.MAX_NODES) {
      return false;
    }
    Node node = nodes.computeIfAbsent(name, n -> new Node());
    long before = node.sequence;
    if (sequence <= before && !node.isUnread()) {
      return true;
    }
    node.clear();
    node.sequence = Math.max(sequence, before);
    try {
      NodeSnapshot snapshot = NodeSnapshot.unpack(bytes, fingerprint);
      node.sequence = Math.max(snapshot.sequence(), node.sequence);
      node.snapshot = snapshot;
      node.parts =
          snapshot.scopes().stream()
              .map(heat -> new ScopeMerge.Part(KeyText.of(name), heat))
              .toList();
    } catch (RefusedException e) {
      node.refused = String.valueOf(e.getMessage());
    }
    if (node.sequence != before) {
      node.seen(0);
    }
    return true;
  }

  /** Takes note that what a node has published is not there: a copy of it is kept for its time. */
  public void gone(String name) {
    if (nodes.containsKey(name) || nodes.size() < FleetView.MAX_NODES) {
      Node node = nodes.computeIfAbsent(name, n -> new Node());
      if (node.snapshot == null) {
        node.end();
      }
    }
  }

  /** Returns the nodes that have been missing for a minute. */
  public List<String> longMissing() {
    return nodes.entrySet().stream()
        .filter(node -> node.getValue().missing)
        .filter(node -> millisSince(node.getValue().seen) > FORGET_AFTER.toMillis())
        .map(Map.Entry::getKey)
        .toList();
  }

  /**
   * Takes over from another merger which keys were hot, and since when, and how long it has waited
   * for each node.
   */
  public void adopt(FleetView view) {
    hot.clear();
    for (FleetScope scope : view.scopes()) {
      memory(scope.scope()).adopt(scope.keys());
    }
    for (FleetMember member : view.members()) {
      Node node = nodes.computeIfAbsent(member.node(), n -> new Node());
      if (node.sequence <= member.sequence()) {
        node.adopt(member);
      }
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
          for (ScopeMerge.Part part : node.parts) {
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
    var scopes = new ArrayList<FleetScope>();
    List<FleetMember> members = members(refused);
    boolean lost = members.stream().anyMatch(member -> member.state() == State.LOST);
    if (!lost) {
      hot.keySet().retainAll(merges.keySet());
    }
    merges.forEach((scope, merge) -> scopes.add(merge.scope(memory(scope), lost)));
    return new FleetView(self, ++views, members, savings(), scopes);
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
            why = "it has published nothing for " + LIFE_IN_INTERVALS + " intervals";
          } else if (!why.isEmpty()) {
            state = State.REFUSED;
          } else if (node.snapshot == null) {
            state = State.LOST;
            why = "Redis lost its data, and the node has not published again yet";
          } else if (age > node.patience()) {
            state = State.LATE;
            why = "it has not published for " + age + " ms";
          } else {
            why = amiss(node.snapshot);
          }
          long sequence = Math.max(0, node.sequence);
          members.add(new FleetMember(KeyText.of(name), state, age, KeyText.of(why), sequence));
        });
    return members;
  }

  private static String amiss(NodeSnapshot snapshot) {
    String health = snapshot.health();
    return snapshot.leftOut() == 0
        ? health
        : snapshot.leftOut()
            + " of its scopes had no room"
            + (health.isEmpty() ? "" : "; " + health);
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
    long lookedThen = looked;
    boolean missing;
    String refused = "";
    @Nullable NodeSnapshot snapshot;
    List<ScopeMerge.Part> parts = List.of();

    /** Notes that the last snapshot was seen for the first time so long ago. */
    void seen(long millisAgo) {
      long nanos = Math.min(TimeUnit.MILLISECONDS.toNanos(millisAgo), LONGEST_AGE.toNanos());
      seen = ticker.nanos() - nanos;
      lookedThen = looked - nanos;
      missing = false;
    }

    void adopt(FleetMember member) {
      if (sequence != member.sequence()) {
        clear();
        sequence = member.sequence();
      }
      seen(member.ageMillis());
      if (member.state() == State.MISSING) {
        end();
      }
    }

    void end() {
      missing = true;
      clear();
    }

    void clear() {
      snapshot = null;
      parts = List.of();
      refused = "";
    }

    /** Misses the node if nothing new of it was seen at so many looks. */
    void endIfOld() {
      long waited = TimeUnit.NANOSECONDS.toMillis(looked - lookedThen);
      if (snapshot != null && waited > LIFE_IN_INTERVALS * snapshot.intervalMillis()) {
        end();
      }
    }

    boolean isUnread() {
      return snapshot == null && refused.isEmpty() && !missing;
    }

    /** Returns whether it is refused and silent: how often it publishes cannot be read. */
    boolean mayHaveEnded() {
      return !refused.isEmpty() && millisSince(seen) > patience();
    }

    long patience() {
      NodeSnapshot last = snapshot;
      return LATE_AFTER_INTERVALS * (last == null ? 1000 : last.intervalMillis());
    }
  }
}
