package io.heatshield.fleet;

import io.heatshield.detect.StoredKey;
import io.heatshield.detect.Verdict.Kind;
import io.heatshield.detect.WindowCounts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The merge of what nodes have counted in one scope; all of one shape and one window. */
final class ScopeMerge {
  /*
   * A key's estimate is the sum over the nodes: the node's own estimate where it keeps the key by
   * name, else the least of the key's cells in its counters. Each is at least the node's touches of
   * the key, so the sum is at least all. A sum of minima is at most the minimum of sums, so it is
   * at most the estimate of one sketch that saw every touch, and has that sketch's bound: e / row
   * length of the sum of all touches, but with a probability of e^-depth.
   *
   * Asking every node about every key that any node names would take nodes x nodes x keys steps. So
   * all cells are added up first, and the least of a key's summed cells, which its estimate cannot
   * exceed, decides whether it is worth asking: at most MAX_ASKED keys, those with the highest. No
   * key whose estimate reaches hotAt is passed over unless that many others have as many touches by
   * that measure.
   */
  static final int MAX_ASKED = 1024;

  private record NamedKey(StoredKey key, long atMost) {}

  private final ScopeHeat shape;
  private final long[] sums;
  private final List<Part> parts = new ArrayList<>();
  private final Map<Long, StoredKey> named = new HashMap<>();
  private long touches;
  private long floors;
  private boolean saturated;

  /** Begins a merge of windows that are like this one. */
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
   * Returns the scope, in which keys that were hot before cool only below the exit rate.
   *
   * @param lost whether numbers of nodes are lacking, so that no key is known to have cooled
   */
  FleetScope scope(HotMemory memory, boolean lost) {
    WindowCounts counts = shape.counts();
    long bound = counts.errorBound(touches);
    var keys = new ArrayList<FleetKey>();
    for (NamedKey candidate : candidates()) {
      keys.add(key(candidate.key(), bound, memory));
    }
    keys.sort(Comparator.comparingLong(FleetKey::estimate).reversed());
    int hot = (int) keys.stream().filter(FleetKey::isHot).count();
    int uncertain = (int) keys.stream().filter(key -> key.kind() == Kind.UNCERTAIN).count();
    if (!lost) {
      memory.keepOnly(keys);
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
    return all.subList(0, Math.min(MAX_ASKED, all.size()));
  }

  private FleetKey key(StoredKey key, long bound, HotMemory memory) {
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
    boolean was = memory.isHot(key.keyedHash());
    long bar = was ? shape.coolBelow() : shape.hotAt();
    Kind kind = Kind.COOL;
    if (estimate >= bar) {
      kind = bound >= shape.hotAt() && guaranteed < bar ? Kind.UNCERTAIN : Kind.HOT;
    }
    long error = Math.min(bound, estimate - guaranteed);
    long since = kind == Kind.COOL ? 0 : memory.hotMillis(key.keyedHash());
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
   * Returns about how many keys were touched, by the cells that none has met; negative if there is
   * hardly such a cell.
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

  /** One node's part of a scope, with its listed keys by hash. */
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

    /** Returns the node's touches of a key, never below the true number. */
    long estimate(long hash) {
      ListedKey key = listed.get(hash);
      return key == null ? heat.counts().estimate(hash) : key.estimate();
    }

    /** Returns the touches of a key that the node counted one by one. */
    long guaranteed(long hash) {
      ListedKey key = listed.get(hash);
      return key == null ? 0 : key.guaranteed();
    }
  }
}
