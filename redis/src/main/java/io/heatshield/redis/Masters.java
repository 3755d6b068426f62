package io.heatshield.redis;

import io.heatshield.redis.connection.Address;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * The servers that hold the data of a Redis at one moment: the named one, the master that sentinels
 * name, or the masters of a cluster with the slots of each. Immutable.
 */
public final class Masters {
  private static final int NO_OWNER = -1;

  private final List<RedisUrl> servers;
  private final int @Nullable [] owners;

  private Masters(List<RedisUrl> servers, int @Nullable [] owners) {
    this.servers = List.copyOf(servers);
    this.owners = owners;
  }

  /** Returns the servers as far as the URL alone says: none for a cluster or for sentinels. */
  public static Masters named(RedisUrl url) {
    return switch (url.kind()) {
      case SINGLE -> new Masters(List.of(url), null);
      case SENTINEL -> new Masters(List.of(), null);
      case CLUSTER -> new Masters(List.of(), new int[0]);
    };
  }

  /**
   * Reads the slots of a cluster; returns {@link #named} for any other URL.
   *
   * @param before the servers known so far, which are queried first
   * @param timeout for each server that is queried
   * @throws RedisCallException if no server reports the slots
   */
  public static Masters find(RedisUrl url, Masters before, Duration timeout)
      throws RedisCallException {
    if (url.kind() != RedisUrl.Kind.CLUSTER) {
      return named(url);
    }
    Set<Address> known = new LinkedHashSet<>();
    before.servers.forEach(server -> known.addAll(server.hosts()));
    known.addAll(url.hosts());
    @Nullable Address[] slots =
        ClusterSlots.find(known, Redis.builder(url).connectTimeout(timeout).toData());
    if (slots == null) {
      throw new RedisCallException("no server reports the slots of the cluster");
    }
    List<Address> masters =
        Arrays.stream(slots)
            .filter(Objects::nonNull)
            .distinct()
            .sorted(Comparator.comparing(Address::toString))
            .toList();
    return new Masters(
        masters.stream().map(url::at).toList(),
        Arrays.stream(slots)
            .mapToInt(owner -> owner == null ? NO_OWNER : masters.indexOf(owner))
            .toArray());
  }

  /** Returns the slot of a key. */
  public static int slotOf(byte[] key) {
    return JedisClusterCRC16.getSlot(key);
  }

  /** Returns the URL of each server, with the same credentials. */
  public List<RedisUrl> servers() {
    return servers;
  }

  /** Returns whether keys are spread over servers by their slots. */
  public boolean isCluster() {
    return owners != null;
  }

  /** Returns the index of the server that owns a slot, or -1 if none does. */
  public int owner(int slot) {
    return owners == null ? 0 : slot < owners.length ? owners[slot] : NO_OWNER;
  }

  /** Returns whether others have the same servers and the same slots. */
  public boolean isSame(Masters other) {
    return Arrays.equals(owners, other.owners)
        && servers.stream()
            .map(RedisUrl::toString)
            .toList()
            .equals(other.servers.stream().map(RedisUrl::toString).toList());
  }
}
