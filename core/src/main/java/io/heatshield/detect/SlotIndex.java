package io.heatshield.detect;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An immutable index of slots by hash, which tells a slot's number, or 0, without a branch.
 *
 * <p>A change makes a new index. Changes are rare and readers are not, and a reader that holds an
 * index sees each key either in it or not, never on the way.
 */
final class SlotIndex<S extends Slot> {
  /*
   * Which touches are of keys that have a slot cannot be foretold, so a processor would guess a branch on it wrong again
   * and again. Therefore no two slots share a place, and there is nothing to search (Belazzougui, Botelho, Dietzfelbinger,
   * "Hash, displace, and compress", 2009):
   *
   * factors[bucket]       an odd number that gives each hash of the bucket a place of its own
   * hashes[place]         the hash that has the place, if one does
   * numbers[place]        its slot's number from 1 on, or 0
   * generations[number]   the slot's generation; that of 0 is the index's own
   *
   * At most half of the places are taken, so few factors are tried. One that does is always met: hashes that differ
   * do so times any odd number, and no two fall on one place for all of them. Hashes are spread by a number of the index's
   * own, since those that are mixed for the audit's sample have their upper bits alike.
   */
  private static final long SPREAD = 0x9e3779b97f4a7c15L;

  private final int before;
  private final int shift;
  private final int[] factors;
  private final long[] hashes;
  private final short[] numbers;
  private final int[] generations;
  private final Slot[] slots;
  private final List<S> all;

  /**
   * Creates an index.
   *
   * @param before the number before the lowest that a slot here may have
   * @param generation what {@link #generation} says of 0
   * @param nobody what {@link #at} says of 0
   */
  SlotIndex(List<S> all, int before, int capacity, int generation, S nobody) {
    int places = places(capacity);
    this.before = before;
    this.shift = Long.numberOfLeadingZeros(places - 1);
    this.factors = new int[places];
    this.hashes = new long[places];
    this.numbers = new short[places];
    this.generations = new int[capacity + 1];
    this.slots = new Slot[capacity + 1];
    this.all = List.copyOf(all);
    Arrays.fill(factors, 1);
    generations[0] = generation;
    Arrays.fill(slots, nobody);
    settle();
  }

  /** Returns the number of a hash's slot, counted from the lowest here as 1, or 0. */
  int number(long hash) {
    int place = place(hash * SPREAD);
    long differs = hashes[place] ^ hash;
    int isOther = (int) ((differs | -differs) >> (Long.SIZE - 1));
    return numbers[place] & ~isOther;
  }

  int generation(int number) {
    return generations[number];
  }

  /** Returns the slot that has a number, or nobody's. */
  @SuppressWarnings("unchecked") // Only slots of type S are put in.
  S at(int number) {
    return (S) slots[number];
  }

  @Nullable S find(long hash) {
    int number = number(hash);
    return number == 0 ? null : at(number);
  }

  int size() {
    return all.size();
  }

  /** Returns the largest factor that it took; to be small, whatever the hashes are. */
  int largestFactor() {
    return Arrays.stream(factors).max().orElse(1);
  }

  List<S> all() {
    return all;
  }

  /** Gives all slots their places, those of the fullest buckets first: they are hardest to fit. */
  private void settle() {
    // Slots are counted from 1 in these, so that 0 is none: a bucket's last one, and the one before
    // each.
    int[] last = new int[factors.length];
    int[] previous = new int[1 + all.size()];
    int[] sizes = new int[factors.length];
    int most = 0;
    for (int i = 1; i < previous.length; i++) {
      int bucket = bucketOf(all.get(i - 1));
      previous[i] = last[bucket];
      last[bucket] = i;
      most = Math.max(most, ++sizes[bucket]);
    }
    for (int size = most; size > 0; size--) {
      for (int i = 1; i < previous.length; i++) {
        int bucket = bucketOf(all.get(i - 1));
        boolean isNext = sizes[bucket] == size && last[bucket] == i;
        while (isNext && !fits(i, previous)) {
          factors[bucket] += 2;
        }
      }
    }
  }

  /** Puts a bucket's slots into their places, or none of them if two would share one. */
  private boolean fits(int last, int[] previous) {
    for (int i = last; i != 0; i = previous[i]) {
      S slot = all.get(i - 1);
      int place = placeOf(slot);
      if (numbers[place] != 0) {
        for (int back = last; back != i; back = previous[back]) {
          numbers[placeOf(all.get(back - 1))] = 0;
        }
        return false;
      }
      int number = slot.number - before;
      hashes[place] = slot.hash;
      numbers[place] = (short) number;
      generations[number] = slot.generation;
      slots[number] = slot;
    }
    return true;
  }

  private int bucketOf(Slot slot) {
    return bucket(slot.hash * SPREAD);
  }

  private int placeOf(Slot slot) {
    return place(slot.hash * SPREAD);
  }

  private int bucket(long spread) {
    return (int) (spread >>> Integer.SIZE) & (factors.length - 1);
  }

  private int place(long spread) {
    return (int) ((spread * factors[bucket(spread)]) >>> shift);
  }

  private static int places(int capacity) {
    return Integer.highestOneBit(capacity * 4 - 1);
  }

  static long bytes(int capacity) {
    return places(capacity) * 14L + capacity * 12L + 6 * 24;
  }
}
