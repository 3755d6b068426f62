package io.heatshield.fleet;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One node's part of a scope, with its listed keys by hash. */
final class ScopePart {
  private final String node;
  private final ScopeHeat heat;
  private final boolean saturated;
  private final Map<Long, ListedKey> listed = new HashMap<>();

  ScopePart(String node, ScopeHeat heat) {
    this.node = node;
    this.heat = heat;
    this.saturated = heat.counts().isSaturated();
    heat.keys().forEach(key -> listed.put(key.hash(), key));
  }

  String node() {
    return node;
  }

  ScopeHeat heat() {
    return heat;
  }

  boolean isSaturated() {
    return saturated;
  }

  /** Returns what the node has of a key that it keeps by name. */
  @Nullable ListedKey listed(long hash) {
    return listed.get(hash);
  }

  /** Returns the node's touches of a key, never below the true number. */
  long estimate(long hash) {
    ListedKey key = listed.get(hash);
    return key == null ? heat.counts().estimate(hash) : key.estimate();
  }
}
