package io.heatshield.fleet;

import io.heatshield.detect.Verdict.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The keys of one scope that were hot in the last view, and since when; used by one thread. */
final class HotMemory {
  private final Map<Long, Long> since = new HashMap<>();
  private long nowMillis;

  /** Sets the time that durations are told by. */
  void now(long millis) {
    nowMillis = millis;
  }

  boolean isHot(long hash) {
    return since.containsKey(hash);
  }

  /** Returns for how long a key has been hot, which begins now if it was not. */
  long hotMillis(long hash) {
    return nowMillis - since.computeIfAbsent(hash, h -> nowMillis);
  }

  /** Takes over what another merger has found. */
  void adopt(List<FleetKey> keys) {
    since.clear();
    keys.stream()
        .filter(key -> key.kind() != Kind.COOL)
        .forEach(key -> since.put(key.key().keyedHash(), nowMillis - key.hotMillis()));
  }

  /** Forgets the keys that are not among these, or are cool. */
  void keepOnly(List<FleetKey> keys) {
    var kept = new HashMap<Long, Long>();
    for (FleetKey key : keys) {
      Long began = since.get(key.key().keyedHash());
      if (began != null && key.kind() != Kind.COOL) {
        kept.put(key.key().keyedHash(), began);
      }
    }
    since.clear();
    since.putAll(kept);
  }
}
