package io.heatshield.redis;

import io.heatshield.redis.command.Node;
import io.heatshield.redis.connection.Address;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.util.JedisClusterCRC16;

/** The node that owns each slot of a cluster. Immutable. */
final class SlotMap {
  private final Map<Address, Node> nodes;
  private final @Nullable Node[] slots;
  private volatile @Nullable List<byte[]> serverKeys;

  SlotMap(Map<Address, Node> nodes, @Nullable Node[] slots) {
    this.nodes = Map.copyOf(nodes);
    this.slots = slots;
  }

  static SlotMap empty() {
    return new SlotMap(Map.of(), new Node[ClusterSlots.COUNT]);
  }

  /** Returns this map with one more node, which owns a slot unless that is negative. */
  SlotMap with(Address address, Node node, int slot) {
    var more = new HashMap<>(nodes);
    more.put(address, node);
    @Nullable Node[] changed = slots.clone();
    if (slot >= 0) {
      changed[slot] = node;
    }
    return new SlotMap(more, changed);
  }

  Map<Address, Node> nodes() {
    return nodes;
  }

  @Nullable Node owner(int slot) {
    return slots[slot];
  }

  /** Returns a key of each node that owns slots, in the order of their first slots. */
  List<byte[]> serverKeys() {
    List<byte[]> known = serverKeys;
    if (known == null) {
      var seen = new HashSet<Node>();
      var keys = new ArrayList<byte[]>();
      for (int slot = 0; slot < slots.length; slot++) {
        Node owner = slots[slot];
        if (owner != null && seen.add(owner)) {
          keys.add(keyOf(slot));
        }
      }
      known = List.copyOf(keys);
      serverKeys = known;
    }
    return known;
  }

  boolean isComplete() {
    return Arrays.stream(slots).allMatch(Objects::nonNull);
  }

  /** Returns the first number, as text, that hashes to a slot. */
  private static byte[] keyOf(int slot) {
    for (int i = 0; ; i++) {
      byte[] key = Integer.toString(i).getBytes(StandardCharsets.US_ASCII);
      if (JedisClusterCRC16.getSlot(key) == slot) {
        return key;
      }
    }
  }
}
