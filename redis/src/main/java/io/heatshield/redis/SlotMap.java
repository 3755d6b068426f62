package io.heatshield.redis;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which node owns which slot of a cluster; never changes once it is made. */
final class SlotMap {
  static final int SLOTS = 16_384;

  private final Map<Address, Node> nodes;
  private final @Nullable Node[] slots;

  SlotMap(Map<Address, Node> nodes, @Nullable Node[] slots) {
    this.nodes = Map.copyOf(nodes);
    this.slots = slots;
  }

  static SlotMap empty() {
    return new SlotMap(Map.of(), new Node[SLOTS]);
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

  boolean isComplete() {
    for (Node node : slots) {
      if (node == null) {
        return false;
      }
    }
    return true;
  }
}
