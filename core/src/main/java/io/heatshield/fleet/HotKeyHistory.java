package io.heatshield.fleet;

import io.heatshield.detect.Verdict.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The keys of one scope that were hot in the last view, and since when. Not thread-safe. */
final class HotKeyHistory {
  private final Map<Long, Long> since = new HashMap<>();
  private long nowMillis;

  /** Sets the current time. */
  void now(long millis) {
    nowMillis = millis;
  }

  boolean isHot(long hash) {
    return since.containsKey(hash);
  }

  /** Returns the time for which a key has been hot; it starts now if the key was not hot. */
  long hotMillis(long hash) {
    return nowMillis - since.computeIfAbsent(hash, h -> nowMillis);
  }

  /** Replaces the history by that of another merger's view. */
  void adopt(List<FleetKey> keys) {
    since.clear();
    keys.stream()
        .filter(key -> key.kind() != Kind.COOL)
        .forEach(key -> since.put(key.key().keyedHash(), nowMillis - key.hotMillis()));
  }

  /** Removes all keys except those of the list that are not cool. */
  void retain(List<FleetKey> keys) {
    since
        .keySet()
        .retainAll(
            keys.stream()
                .filter(key -> key.kind() != Kind.COOL)
                .map(key -> key.key().keyedHash())
                .collect(Collectors.toSet()));
  }
}
