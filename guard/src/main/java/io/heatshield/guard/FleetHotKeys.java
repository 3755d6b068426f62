package io.heatshield.guard;

import io.heatshield.hash.KeyHash;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The keys that are hot in the whole fleet, though perhaps not on this node.
 *
 * <p>The set is replaced as a whole. Any thread may call any method; a reader sees the newest set,
 * or for a moment the one before.
 */
public final class FleetHotKeys {
  private record HotKeys(Set<BytesKey> keys, int nodes) {}

  private final KeyHash hash;

  /** Null while there are no keys, so that a read costs one null check. */
  private volatile @Nullable HotKeys current;

  /**
   * Creates an empty set.
   *
   * @param hash the function that computes the hashes of keys
   */
  public FleetHotKeys(KeyHash hash) {
    this.hash = hash;
  }

  /** Replaces the keys. Their limits are divided by the number of nodes. */
  public void replace(Collection<byte[]> keys, int nodes) {
    current =
        keys.isEmpty()
            ? null
            : new HotKeys(
                keys.stream()
                    .map(key -> new BytesKey(key.clone(), hash.hash(key)))
                    .collect(Collectors.toUnmodifiableSet()),
                Math.max(1, nodes));
  }

  /** Returns whether a key is hot in the whole fleet. */
  public boolean contains(byte[] key, long keyHash) {
    return nodes(key, keyHash) > 0;
  }

  /** Returns this node's share of the limit that the fleet has for a key. */
  public long share(byte[] key, long keyHash, long limit) {
    int nodes = nodes(key, keyHash);
    return nodes > 0 ? Math.max(1, limit / nodes) : limit;
  }

  /** Returns the number of nodes that share a key's limit, or 0 if the key is not in the set. */
  private int nodes(byte[] key, long keyHash) {
    HotKeys now = current;
    return now != null && now.keys().contains(new BytesKey(key, keyHash)) ? now.nodes() : 0;
  }
}
