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
 * Merges the snapshots of all nodes into a view, and tracks which nodes are late or missing.
 *
 * <p>It uses only the ticker of its own process, never a time from a snapshot: a node's age is the
 * time since its last snapshot was first seen here. At most {@value FleetView#MAX_NODES} nodes are
 * tracked. Not thread-safe.
 */
public final class FleetMerger {
  /*
   * A node is missing if it has not published for three intervals in which the roster was read.
   * Between two reads at most one interval counts: while this process, Redis or the whole fleet is
   * paused, no node can be seen, and none becomes missing because of it. The view carries the age
   * of each node from one merger to the next.
   *
   * A node that is not in the roster has left, unless the roster itself was lost (FLUSHALL, or a
   * Redis that restarted empty): then all nodes are kept for three intervals, in which each running
   * node publishes again. A merger that has their snapshots continues with them; one that knows
   * them only from a view reports them as lost until then.
   */
  static final int LIFE_IN_INTERVALS = 3;
  private static final int LATE_AFTER_INTERVALS = 2;
  private static final Duration FORGET_AFTER = Duration.ofMinutes(1);
  private static final Duration LONGEST_AGE = Duration.ofDays(1);

  private final String self;
  private final long fingerprint;
  private final long intervalNanos;
  private final Ticker ticker;
  private final Map<String, Node> nodes = new TreeMap<>();
  private final Map<String, HotKeyHistory> hot = new HashMap<>();
  private final long start;
  private long lastRead;
  private long watched;
  private long keepUntil;
  private long views;

  /**
   * Creates a merger without nodes.
   *
   * @param self the name of this process's node, whose sketch shape the others must have
   * @param fingerprint the fingerprint of this process's hash
   * @param interval how often this process publishes; it reads the roster at least as often
   */
  public FleetMerger(String self, long fingerprint, Duration interval, Ticker ticker) {
    this.self = self;
    this.fingerprint = fingerprint;
    this.intervalNanos = interval.toNanos();
    this.ticker = ticker;
    this.start = ticker.nanos();
    this.lastRead = start;
  }

  /** Records that the roster was lost: nodes that are not in it may still be running. */
  public void rosterLost() {
    keepUntil = watched + LIFE_IN_INTERVALS * intervalNanos;
  }

  /** Records that the roster was read, and removes the nodes that are not in it. */
  public void rosterRead(Set<String> names) {
    long now = ticker.nanos();
    watched += Math.min(now - lastRead, intervalNanos);
    lastRead = now;
    if (watched >= keepUntil) {
      nodes.keySet().retainAll(names);
    }
    nodes.values().forEach(Node::endIfOld);
  }

  /** Returns whether a node's snapshot of this number is needed. */
  public boolean needs(String node, long sequence) {
    Node known = nodes.get(node);
    return known == null || known.sequence < sequence || known.isUnread() || known.mayHaveEnded();
  }

  /** Accepts a node's snapshot; returns false if there are too many nodes. */
  public boolean accept(String name, long sequence, byte[] bytes) {
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
    } catch (InvalidFleetDataException e) {
      node.refused = String.valueOf(e.getMessage());
    }
    if (node.sequence != before) {
      node.seen(0);
    }
    return true;
  }

  /** Records that a node's snapshot has expired; a copy that is already here remains valid. */
  public void expired(String name) {
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

  /** Continues from another merger's view: its hot keys, and the age of each node. */
  public void adopt(FleetView view) {
    hot.clear();
    for (FleetScope scope : view.scopes()) {
      history(scope.scope()).adopt(scope.keys());
    }
    for (FleetMember member : view.members()) {
      Node node = nodes.computeIfAbsent(member.node(), n -> new Node());
      if (node.sequence <= member.sequence()) {
        node.adopt(member);
      }
    }
  }

  /** Returns the current view. */
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
    List<FleetMember> members = members(refused);
    boolean lost = members.stream().anyMatch(member -> member.state() == State.LOST);
    if (!lost) {
      hot.keySet().retainAll(merges.keySet());
    }
    var scopes = new ArrayList<FleetScope>();
    merges.forEach((scope, merge) -> scopes.add(merge.scope(history(scope), lost)));
    return new FleetView(self, ++views, members, savings(), scopes);
  }

  private static void shape(@Nullable Node node, Map<String, ScopeHeat> shapes) {
    if (node != null && node.snapshot != null) {
      node.snapshot.scopes().forEach(heat -> shapes.putIfAbsent(heat.scope(), heat));
    }
  }

  private HotKeyHistory history(String scope) {
    HotKeyHistory history = hot.computeIfAbsent(scope, s -> new HotKeyHistory());
    history.now(millisSince(start));
    return history;
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
            why = "it has not published for " + LIFE_IN_INTERVALS + " intervals";
          } else if (!why.isEmpty()) {
            state = State.REFUSED;
          } else if (node.snapshot == null) {
            state = State.LOST;
            why = "Redis lost its data, and the node has not published again yet";
          } else if (age > node.patience()) {
            state = State.LATE;
            why = "it has not published for " + age + " ms";
          } else {
            why = problem(node.snapshot);
          }
          long sequence = Math.max(0, node.sequence);
          members.add(new FleetMember(KeyText.of(name), state, age, KeyText.of(why), sequence));
        });
    return members;
  }

  private static String problem(NodeSnapshot snapshot) {
    String health = snapshot.health();
    return snapshot.leftOut() == 0
        ? health
        : snapshot.leftOut()
            + " of its scopes did not fit into its snapshot"
            + (health.isEmpty() ? "" : "; " + health);
  }

  private List<Saved> savings() {
    var all = new TreeMap<String, Saved>();
    for (Node node : nodes.values()) {
      if (node.snapshot != null) {
        for (Saved saved : node.snapshot.savings()) {
          all.merge(saved.action(), saved, Saved::plus);
        }
      }
    }
    return all.values().stream().limit(NodeSnapshot.MAX_ACTIONS).toList();
  }

  private long millisSince(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(ticker.nanos() - nanos);
  }

  /** The state of one node. */
  private final class Node {
    long sequence = -1;
    long seen = ticker.nanos();
    long watchedThen = watched;
    boolean missing;
    String refused = "";
    @Nullable NodeSnapshot snapshot;
    List<ScopeMerge.Part> parts = List.of();

    /** Records that the last snapshot was first seen the given time ago. */
    void seen(long millisAgo) {
      long nanos = Math.min(TimeUnit.MILLISECONDS.toNanos(millisAgo), LONGEST_AGE.toNanos());
      seen = ticker.nanos() - nanos;
      watchedThen = watched - nanos;
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

    /** Marks the node as missing if it has not published for too long. */
    void endIfOld() {
      long waited = TimeUnit.NANOSECONDS.toMillis(watched - watchedThen);
      if (snapshot != null && waited > LIFE_IN_INTERVALS * snapshot.intervalMillis()) {
        end();
      }
    }

    boolean isUnread() {
      return snapshot == null && refused.isEmpty() && !missing;
    }

    /** Returns whether a rejected node may have stopped: its own interval is unknown. */
    boolean mayHaveEnded() {
      return !refused.isEmpty() && millisSince(seen) > patience();
    }

    long patience() {
      NodeSnapshot last = snapshot;
      return LATE_AFTER_INTERVALS * (last == null ? 1000 : last.intervalMillis());
    }
  }
}
