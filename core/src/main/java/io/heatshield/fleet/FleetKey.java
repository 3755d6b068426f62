package io.heatshield.fleet;

import io.heatshield.detect.StoredKey;
import io.heatshield.detect.Verdict;
import java.util.List;

/**
 * A key as the whole fleet has counted it.
 *
 * @param key the key, or the beginning of a long one
 * @param kind hot; uncertain if it may be so by the sketches' error alone; or cool
 * @param estimate its touches in all windows that were published, never below the true number
 * @param error by how much the estimate may be too high
 * @param guaranteed touches counted one by one, never above the true number
 * @param hotMillis how long it has been hot or uncertain
 * @param nodes how many nodes may have seen it
 * @param shares the nodes that counted most of it, most first
 */
public record FleetKey(
    StoredKey key,
    Verdict.Kind kind,
    long estimate,
    long error,
    long guaranteed,
    long hotMillis,
    int nodes,
    List<NodeShare> shares) {
  /** The most nodes that are named for a key. */
  public static final int MAX_SHARES = 8;

  /** Returns whether the key is hot for certain, so that something may be enforced on it. */
  public boolean isHot() {
    return kind == Verdict.Kind.HOT;
  }
}
