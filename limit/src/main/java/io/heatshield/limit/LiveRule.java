package io.heatshield.limit;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rule in the use of one limiter: with the counts of its hits, and with the names of its counters
 * as far as the rule alone tells them; immutable but for the counts.
 */
final class LiveRule {
  final RuleCounts counts;
  private final CounterKeys keys;
  private final @Nullable RulePath path;
  private final @Nullable CounterKey only;
  private final byte[] text;
  private final long hash;

  LiveRule(AppliedRule rule, RuleCounts counts, CounterKeys keys) {
    this.counts = counts;
    this.keys = keys;
    Limit limit = rule.limit;
    RulePath way = rule.path;
    if (limit == null || way == null || way.isOpenBefore()) {
      path = null;
      only = null;
      text = new byte[0];
      hash = 0;
    } else {
      path = way;
      only = way.isOpen() ? null : keys.key(way.domain, way.entries, way.shared, limit);
      text = keys.textBefore(way.domain, way.entries, way.shared, limit);
      hash = keys.hashBefore(way.domain, way.entries, way.shared, limit);
    }
  }

  /**
   * Returns the name of the rule's counter for a path that led to it, or null if it cannot tell.
   */
  @Nullable CounterKey key(List<Entry> entries) {
    if (path == null || !path.fits(entries)) {
      return null;
    }
    return only == null ? keys.key(text, hash, entries.get(entries.size() - 1).value()) : only;
  }
}
