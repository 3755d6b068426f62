package io.heatshield.detect;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An immutable index of slots by hash: open addressing at most half full, so that a miss reads one
 * or two neighbouring references.
 *
 * <p>A change makes a new index. Changes are rare and readers are not, and a reader that holds an
 * index sees each key either in it or not, never on the way.
 */
final class SlotIndex<S extends Slot> {
  private final long[] hashes;
  private final @Nullable Slot[] slots;
  private final List<S> all;

  SlotIndex(List<S> all, int capacity) {
    int size = size(capacity);
    this.hashes = new long[size];
    this.slots = new Slot[size];
    this.all = List.copyOf(all);
    for (S slot : this.all) {
      int i = (int) slot.hash & (size - 1);
      while (slots[i] != null) {
        i = (i + 1) & (size - 1);
      }
      hashes[i] = slot.hash;
      slots[i] = slot;
    }
  }

  @SuppressWarnings("unchecked") // Only slots of type S are put in.
  @Nullable S find(long hash) {
    int mask = slots.length - 1;
    int i = (int) hash & mask;
    Slot slot = slots[i];
    while (slot != null) {
      if (hashes[i] == hash) {
        return (S) slot;
      }
      i = (i + 1) & mask;
      slot = slots[i];
    }
    return null;
  }

  List<S> all() {
    return all;
  }

  private static int size(int capacity) {
    return Integer.highestOneBit(capacity * 4 - 1);
  }

  static long bytes(int capacity) {
    return size(capacity) * 12L + capacity * 4L + 104;
  }
}
