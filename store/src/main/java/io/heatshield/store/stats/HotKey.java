package io.heatshield.store.stats;

import io.heatshield.key.KeyText;
import io.heatshield.ring.HotRing;
import java.util.List;

/**
 * A key that is used often.
 *
 * @param key its printable form
 * @param count its uses in the ring's window
 */
public record HotKey(String key, long count) {

  /** Returns up to {@code n} of the hottest keys of a ring that have reached a count. */
  public static List<HotKey> of(HotRing ring, int n, long threshold) {
    return ring.top(n).stream()
        .filter(key -> key.count() >= threshold)
        .map(key -> new HotKey(KeyText.of(key.key()), key.count()))
        .toList();
  }
}
