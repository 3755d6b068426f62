package io.heatshield.store;

import io.heatshield.hash.KeyHash;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The keys that are hot in the whole fleet, though perhaps not here; replaced as a whole.
 *
 * <p>Any thread may ask, and sees the last set that was given, or the one before for a moment.
 */
public final class Elsewhere {
  private record Told(Set<Key> keys, int nodes) {}

  private final KeyHash hash;

  /** Null while no key is, so that a read meets one object and not three. */
  private volatile @Nullable Told told;

  /**
   * Creates an empty set.
   *
   * @param hash the function that the hashes given with keys come from
   */
  public Elsewhere(KeyHash hash) {
    this.hash = hash;
  }

  /** Replaces the keys, whose limits are divided among a number of nodes. */
  public void replace(Collection<byte[]> keys, int nodes) {
    told =
        keys.isEmpty()
            ? null
            : new Told(
                keys.stream()
                    .map(key -> new Key(key.clone(), hash.hash(key)))
                    .collect(Collectors.toUnmodifiableSet()),
                Math.max(1, nodes));
  }

  /** Returns whether a key is hot in the whole fleet. */
  public boolean holds(byte[] key, long keyHash) {
    return part(key, keyHash) > 0;
  }

  /** Returns this node's part of a limit that the fleet has for a key together. */
  public long share(byte[] key, long keyHash, long limit) {
    int nodes = part(key, keyHash);
    return nodes > 0 ? Math.max(1, limit / nodes) : limit;
  }

  /** Returns among how many nodes a key's limit is divided, or 0 if it is not. */
  private int part(byte[] key, long keyHash) {
    Told now = told;
    return now != null && now.keys().contains(new Key(key, keyHash)) ? now.nodes() : 0;
  }
}
