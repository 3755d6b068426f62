package io.heatshield.detect;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An immutable index of slots by hash: a filter of 64 bits for each place, which turns away all but
 * one or two in a hundred of the hashes that are not in it, and open addressing behind it.
 *
 * <p>A change makes a new index. Changes are rare and readers are not, and a reader that holds an
 * index sees each key either in it or not, never on the way.
 */
final class SlotIndex<S extends Slot> {
  private final long[] filter;
  private final long[] hashes;
  private final @Nullable Slot[] slots;
  private final List<S> all;
  private final int size;

  SlotIndex(List<S> all, int capacity) {
    int places = places(capacity);
    this.filter = new long[places / 2];
    this.hashes = new long[places];
    this.slots = new Slot[places];
    this.all = List.copyOf(all);
    this.size = all.size();
    for (S slot : this.all) {
      int i = (int) (slot.hash >>> 8) & (places - 1);
      while (slots[i] != null) {
        i = (i + 1) & (places - 1);
      }
      filter[word(slot.hash)] |= 1L << slot.hash;
      hashes[i] = slot.hash;
      slots[i] = slot;
    }
  }

  @Nullable S find(long hash) {
    if ((filter[word(hash)] & (1L << hash)) == 0) {
      return null;
    }
    return behindFilter(hash);
  }

  int size() {
    return size;
  }

  List<S> all() {
    return all;
  }

  @SuppressWarnings("unchecked") // Only slots of type S are put in.
  private @Nullable S behindFilter(long hash) {
    int mask = hashes.length - 1;
    int i = (int) (hash >>> 8) & mask;
    while (hashes[i] != hash && slots[i] != null) {
      i = (i + 1) & mask;
    }
    return (S) slots[i];
  }

  private int word(long hash) {
    return (int) (hash >>> 32) & (filter.length - 1);
  }

  private static int places(int capacity) {
    return Integer.highestOneBit(capacity * 4 - 1);
  }

  static long bytes(int capacity) {
    return places(capacity) * 16L + capacity * 4L + 128;
  }
}
