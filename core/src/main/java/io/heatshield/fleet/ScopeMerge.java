package io.heatshield.fleet;

import io.heatshield.detect.StoredKey;
import io.heatshield.detect.Verdict.Kind;
import io.heatshield.detect.WindowCounts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Merges the counts of nodes in one scope, which all have the same sketch shape and window. */
final class ScopeMerge {
  /*
   * A key's estimate is the sum over the nodes: the node's own estimate if it lists the key by
   * name, otherwise the minimum of the key's cells. Each is at least the node's touches of the key,
   * so the sum is never below the true number. A sum of minima is at most the minimum of sums, so
   * it is at most the estimate of one sketch that saw every touch, and has that sketch's bound: e /
   * row length of the sum of all touches, except with a probability of e^-depth.
   *
   * Estimating every listed key on every node would take nodes x nodes x keys steps. So all cells
   * are added up first, and only the MAX_CANDIDATES keys with the highest minimum of summed cells,
   * an upper bound of the estimate, are estimated. A key whose estimate reaches hotAt is skipped
   * only if that many other keys have a higher bound.
   */
  static final int MAX_CANDIDATES = 1024;

  private record NamedKey(StoredKey key, long atMost) {}

  private final ScopeHeat shape;
  private final long[] sums;
  private final List<Part> parts = new ArrayList<>();
  private final Map<Long, StoredKey> named = new HashMap<>();
  private long touches;
  private long floors;
  private boolean saturated;

  /** Creates an empty merge of windows of the given shape. */
  ScopeMerge(ScopeHeat shape) {
    this.shape = shape;
    this.sums = new long[shape.counts().size()];
  }

  void add(Part part) {
    ScopeHeat heat = part.heat();
    heat.keys().forEach(key -> named.merge(key.key().keyedHash(), key.key(), ScopeMerge::fuller));
    parts.add(part);
    heat.counts().addTo(sums);
    touches += heat.counts().total();
    floors += heat.floor();
    saturated |= part.saturated;
  }

  /**
   * Returns the merged scope; keys that were hot become cool only below the exit rate.
   *
   * @param lost whether counts of nodes are missing, so that no key is known to be cool
   */
  FleetScope scope(HotKeyHistory history, boolean lost) {
    WindowCounts counts = shape.counts();
    long bound = counts.errorBound(touches);
    var keys = new ArrayList<FleetKey>();
    for (NamedKey candidate : candidates()) {
      keys.add(key(candidate.key(), bound, history));
    }
    keys.sort(Comparator.comparingLong(FleetKey::estimate).reversed());
    int hot = (int) keys.stream().filter(FleetKey::isHot).count();
    int uncertain = (int) keys.stream().filter(key -> key.kind() == Kind.UNCERTAIN).count();
    if (!lost) {
      history.retain(keys);
    }
    long distinct = distinct();
    return new FleetScope(
        shape.scope(),
        shape.windowMillis(),
        shape.hotAt(),
        parts.size(),
        touches,
        bound,
        Math.max(0, distinct),
        saturated || distinct < 0,
        Math.max(0, floors - parts.size()),
        hot,
        uncertain,
        keys.stream().limit(FleetScope.MAX_KEYS).map(this::withShares).toList());
  }

  private List<NamedKey> candidates() {
    var all = new ArrayList<NamedKey>(named.size());
    named.forEach((hash, key) -> all.add(new NamedKey(key, shape.counts().estimate(sums, hash))));
    all.sort(Comparator.comparingLong(NamedKey::atMost).reversed());
    return all.subList(0, Math.min(MAX_CANDIDATES, all.size()));
  }

  private FleetKey key(StoredKey key, long bound, HotKeyHistory history) {
    long estimate = 0;
    long guaranteed = 0;
    int nodes = 0;
    for (Part part : parts) {
      long own = part.estimate(key.keyedHash());
      guaranteed += part.guaranteed(key.keyedHash());
      estimate += own;
      nodes += own > 0 ? 1 : 0;
    }
    guaranteed = Math.min(guaranteed, estimate);
    boolean was = history.isHot(key.keyedHash());
    long bar = was ? shape.coolBelow() : shape.hotAt();
    Kind kind = Kind.COOL;
    if (estimate >= bar) {
      kind = bound >= shape.hotAt() && guaranteed < bar ? Kind.UNCERTAIN : Kind.HOT;
    }
    long error = Math.min(bound, estimate - guaranteed);
    long since = kind == Kind.COOL ? 0 : history.hotMillis(key.keyedHash());
    return new FleetKey(key, kind, estimate, error, guaranteed, since, nodes, List.of());
  }

  private FleetKey withShares(FleetKey key) {
    List<NodeShare> shares =
        parts.stream()
            .map(part -> new NodeShare(part.node, part.estimate(key.key().keyedHash())))
            .filter(share -> share.estimate() > 0)
            .sorted(Comparator.comparingLong(NodeShare::estimate).reversed())
            .limit(FleetKey.MAX_SHARES)
            .toList();
    return new FleetKey(
        key.key(),
        key.kind(),
        key.estimate(),
        key.error(),
        key.guaranteed(),
        key.hotMillis(),
        key.nodes(),
        shares);
  }

  /**
   * Returns the approximate number of distinct keys, by linear counting of empty cells; negative if
   * there are too few empty cells.
   */
  private long distinct() {
    int length = shape.counts().length();
    int rows = shape.counts().depth();
    int empty = 0;
    for (long sum : sums) {
      empty += sum == 0 ? 1 : 0;
    }
    return empty < rows ? -1 : Math.round(length * Math.log((double) rows * length / empty));
  }

  private static StoredKey fuller(StoredKey one, StoredKey other) {
    return one.isWhole() || !other.isWhole() ? one : other;
  }

  /** One node's counts in a scope, with its listed keys by hash. */
  static final class Part {
    private final String node;
    private final ScopeHeat heat;
    private final boolean saturated;
    private final Map<Long, ListedKey> listed = new HashMap<>();

    Part(String node, ScopeHeat heat) {
      this.node = node;
      this.heat = heat;
      this.saturated = heat.counts().isSaturated();
      heat.keys().forEach(key -> listed.put(key.key().keyedHash(), key));
    }

    ScopeHeat heat() {
      return heat;
    }

    /** Returns the node's estimate of a key, never below the true number. */
    long estimate(long hash) {
      ListedKey key = listed.get(hash);
      return key == null ? heat.counts().estimate(hash) : key.estimate();
    }

    /** Returns the touches of a key that the node counted exactly. */
    long guaranteed(long hash) {
      ListedKey key = listed.get(hash);
      return key == null ? 0 : key.guaranteed();
    }
  }
}
