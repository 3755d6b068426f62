package io.heatshield.store;

import io.heatshield.hash.KeyHash;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The keys that are hot in the whole fleet, though perhaps not here; replaced as a whole.
 *
 * <p>Any thread may ask, and sees the last set that was given, or the one before for a moment.
 */
final class Elsewhere {
  private record Told(Set<Key> keys, int nodes) {}

  private final KeyHash hash;
  private volatile Told told = new Told(Set.of(), 1);

  Elsewhere(KeyHash hash) {
    this.hash = hash;
  }

  void replace(Collection<byte[]> keys, int nodes) {
    told =
        new Told(
            keys.stream()
                .map(key -> new Key(key.clone(), hash.hash(key)))
                .collect(Collectors.toUnmodifiableSet()),
            Math.max(1, nodes));
  }

  boolean holds(byte[] key, long keyHash) {
    Set<Key> now = told.keys();
    return !now.isEmpty() && now.contains(new Key(key, keyHash));
  }

  /** Returns this node's part of a limit that the fleet has for a key together. */
  long share(byte[] key, long keyHash, long limit) {
    return holds(key, keyHash) ? Math.max(1, limit / told.nodes()) : limit;
  }
}
