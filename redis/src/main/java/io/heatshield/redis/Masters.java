package io.heatshield.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * The servers that hold the data of a Redis at one moment: the one that is named, the one that
 * sentinels call the master, or the masters of a cluster and which slots each of them has.
 *
 * <p>Immutable.
 */
public final class Masters {
  private static final int MAX_SERVERS = 1000;
  private static final short NOBODY = -1;

  private final List<RedisUrl> servers;
  private final short @Nullable [] owners;

  private Masters(List<RedisUrl> servers, short @Nullable [] owners) {
    this.servers = List.copyOf(servers);
    this.owners = owners;
  }

  /** Returns what an address says of itself, without asking anybody: for a cluster, no slots. */
  public static Masters named(RedisUrl url) {
    return switch (url.kind()) {
      case SINGLE -> new Masters(List.of(url), null);
      case SENTINEL -> new Masters(List.of(), null);
      case CLUSTER -> new Masters(List.of(), new short[0]);
    };
  }

  /**
   * Asks who they are; may wait for as long as the patience for each server that is asked.
   *
   * @param before those known so far, which are asked first
   * @throws TalkException if nobody tells
   */
  public static Masters find(RedisUrl url, Masters before, Duration patience) throws TalkException {
    RedisBuilder how = Redis.builder(url).connectTimeout(patience);
    return switch (url.kind()) {
      case SINGLE, SENTINEL -> named(url);
      case CLUSTER -> ofCluster(url, before, Access.toData(how));
    };
  }

  /** Returns the slot of a key. */
  public static int slotOf(byte[] key) {
    return JedisClusterCRC16.getSlot(key);
  }

  /** Returns the servers, each as an address of one server with the same user. */
  public List<RedisUrl> servers() {
    return servers;
  }

  /** Returns whether keys are spread over servers by their slots. */
  public boolean isCluster() {
    return owners != null;
  }

  /** Returns which of the servers has a slot, or -1 if nobody has. */
  public int owner(int slot) {
    return owners == null ? 0 : slot < owners.length ? owners[slot] : NOBODY;
  }

  /** Returns whether others have the same servers and the same slots. */
  public boolean isSame(Masters other) {
    return Arrays.equals(owners, other.owners)
        && servers.stream()
            .map(RedisUrl::toString)
            .toList()
            .equals(other.servers.stream().map(RedisUrl::toString).toList());
  }

  private static Masters ofCluster(RedisUrl url, Masters before, Access access)
      throws TalkException {
    Set<Address> asked = new LinkedHashSet<>();
    before.servers.forEach(server -> asked.addAll(server.hosts()));
    asked.addAll(url.hosts());
    for (Address address : asked) {
      try (Link link = access.open(address)) {
        Map<Address, List<SlotReply.Range>> told = SlotReply.read(link, address);
        if (!told.isEmpty() && told.size() <= MAX_SERVERS) {
          return of(url, told);
        }
      } catch (JedisException | IllegalArgumentException next) {
        // The next one may tell.
      }
    }
    throw new TalkException("no server tells the slots of the cluster");
  }

  private static Masters of(RedisUrl url, Map<Address, List<SlotReply.Range>> told) {
    var order = new ArrayList<>(told.keySet());
    order.sort(Comparator.comparing(Address::toString));
    var slots = new short[SlotMap.SLOTS];
    Arrays.fill(slots, NOBODY);
    for (int i = 0; i < order.size(); i++) {
      for (SlotReply.Range range : told.getOrDefault(order.get(i), List.of())) {
        Arrays.fill(slots, (int) range.first(), (int) range.last() + 1, (short) i);
      }
    }
    return new Masters(order.stream().map(url::at).toList(), slots);
  }
}
