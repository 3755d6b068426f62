package io.heatshield.fleet;

import io.heatshield.detect.StoredKey;
import io.heatshield.detect.Verdict;
import java.util.List;

/**
 * A key with the counts of the whole fleet.
 *
 * @param key the key, or the beginning of a long one
 * @param kind hot; uncertain if only the sketches' error may make it hot; or cool
 * @param estimate its touches in all published windows, never below the true number
 * @param error the maximum by which the estimate is too high
 * @param guaranteed touches counted exactly, never above the true number
 * @param hotMillis the time for which it has been hot or uncertain
 * @param nodes the number of nodes that may have seen it
 * @param shares the nodes with the most touches, highest first
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
  /** The maximum number of shares of a key. */
  public static final int MAX_SHARES = 8;

  /** Returns whether the key is certainly hot, so that actions may be enforced on it. */
  public boolean isHot() {
    return kind == Verdict.Kind.HOT;
  }
}
