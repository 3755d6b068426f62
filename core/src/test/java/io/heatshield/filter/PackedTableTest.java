package io.heatshield.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PackedTableTest {

  @Test
  void get_randomWritesInEveryShape_returnsWhatAnArrayReturns() {
    for (int bits = 4; bits <= 32; bits++) {
      for (int bucketSize = 1; bucketSize <= 8; bucketSize++) {
        checkAgainstArray(bits, bucketSize);
      }
    }
  }

  @Test
  void set_slotsAroundTheEndOfASegment_keepsBoth() {
    var geometry = Geometry.of(13, 4, (1L << PackedTable.SEGMENT_SHIFT) + 2);
    var table = new PackedTable(geometry);
    long last = (1L << PackedTable.SEGMENT_SHIFT) - 1;

    table.set(last, 3, 0x1fff);
    table.set(last + 1, 0, 0x1abc);

    assertThat(table.get(last, 3)).isEqualTo(0x1fff);
    assertThat(table.get(last + 1, 0)).isEqualTo(0x1abc);
    assertThat(table.count(last, 0)).isEqualTo(3);
    assertThat(table.count(last + 1, 0)).isEqualTo(3);
  }

  private static void checkAgainstArray(int bits, int bucketSize) {
    int buckets = 70;
    var table = new PackedTable(Geometry.of(bits, bucketSize, buckets));
    long[][] model = new long[buckets][bucketSize];
    var random = new SplittableRandom(31L * bits + bucketSize);
    for (int i = 0; i < 2_000; i++) {
      int bucket = random.nextInt(buckets);
      int slot = random.nextInt(bucketSize);
      // Few values, so that some slots are equal, and from both ends of the range, so that a carry
      // between slots would be noticed.
      long top = (1L << bits) - 1;
      long value = random.nextBoolean() ? random.nextInt(3) : top - random.nextInt(3);
      table.set(bucket, slot, value);
      model[bucket][slot] = value;
    }

    for (int bucket = 0; bucket < buckets; bucket++) {
      int next = (bucket + 1) % buckets;
      for (long value : new long[] {0, 1, 2, 3, (1L << bits) - 1, (1L << bits) - 2}) {
        assertThat(table.count(bucket, value)).isEqualTo(count(model[bucket], value));
        assertThat(table.slotOf(bucket, value)).isEqualTo(firstSlot(model[bucket], value));
        assertThat(table.contains(bucket, next, value))
            .isEqualTo(count(model[bucket], value) + count(model[next], value) > 0);
      }
      for (int slot = 0; slot < bucketSize; slot++) {
        assertThat(table.get(bucket, slot)).isEqualTo(model[bucket][slot]);
      }
    }
  }

  private static int count(long[] slots, long value) {
    int count = 0;
    for (long slot : slots) {
      count += slot == value ? 1 : 0;
    }
    return count;
  }

  private static int firstSlot(long[] slots, long value) {
    for (int slot = 0; slot < slots.length; slot++) {
      if (slots[slot] == value) {
        return slot;
      }
    }
    return -1;
  }
}
