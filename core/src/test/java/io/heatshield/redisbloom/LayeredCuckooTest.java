package io.heatshield.redisbloom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.snapshot.InvalidSnapshotException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LayeredCuckooTest {
  @ParameterizedTest
  @CsvSource({"1000000,0", "1000000,1", "1024,1", "1024,2", "1024,4"})
  void add_millionItems_keepsTheRateInOneTable(long capacity, int expansion) {
    LayeredCuckoo filter = LayeredCuckoo.create(new CuckooShape(capacity, 2, 20, expansion));
    for (int i = 0; i < 1_000_000; i++) {
      assertThat(filter.add(hash(filter, "in" + i), false, more -> true))
          .isEqualTo(LayeredCuckoo.Added.ADDED);
    }

    assertThat(filter.layers()).isEqualTo(1);
    assertThat(filter.bytes()).isLessThan(2_500_000);
    assertThat(missing(filter, 1_000_000)).isZero();
    assertThat(falsePositives(filter, 1_000_000)).isLessThan(200);
  }

  @Test
  void add_itemsForManyTables_keepsTheRate() {
    LayeredCuckoo filter = LayeredCuckoo.create(new CuckooShape(200, 2, 20, 1), 1);
    for (int i = 0; i < 100_000; i++) {
      filter.add(hash(filter, "in" + i), false, more -> true);
    }

    assertThat(filter.layers()).isEqualTo(9);
    assertThat(missing(filter, 100_000)).isZero();
    assertThat(falsePositives(filter, 1_000_000)).isLessThan(200);
  }

  @Test
  void add_notEnoughMemoryToGrow_isRefusedBeforeAllocation() {
    LayeredCuckoo filter = LayeredCuckoo.create(new CuckooShape(1 << 20, 2, 20, 32_768));
    var asked = new ArrayList<Long>();
    LayeredCuckoo.Added added = LayeredCuckoo.Added.ADDED;
    for (int i = 0; added == LayeredCuckoo.Added.ADDED && i <= 1 << 20; i++) {
      added = filter.add(hash(filter, "i" + i), false, more -> !asked.add(more));
    }

    assertThat(added).isEqualTo(LayeredCuckoo.Added.NO_MEMORY);
    assertThat(filter.size()).isEqualTo(1 << 20);
    assertThat(filter.bytes()).isLessThan(2_600_000);
    assertThat(asked).singleElement().satisfies(more -> assertThat(more).isLessThan(5_200_000));
  }

  @Test
  void add_collidingItems_doesNotGrowAnEmptyFilter() {
    LayeredCuckoo filter = LayeredCuckoo.create(new CuckooShape(1_000, 2, 20, 1));
    CuckooLayer table = new CuckooShape(1_000, 2, 20, 1).layer(0, 0);
    long[] colliding =
        LongStream.range(1, 1 << 16).filter(low -> table.other(0, low) == 7).toArray();

    for (long low : colliding) {
      LayeredCuckoo.Added added = filter.add(low, false, more -> true);
      assertThat(added == LayeredCuckoo.Added.ADDED).isEqualTo(filter.contains(low));
    }

    assertThat(colliding).hasSizeGreaterThan(100);
    assertThat(filter.size()).isEqualTo(8);
    assertThat(filter.capacity()).isEqualTo(1_000);
  }

  @Test
  void load_chunksOfAnySize_restoresTheSameFilter() throws InvalidSnapshotException {
    LayeredCuckoo filter = grown();

    for (int most : new int[] {22, 37, 1024, 1 << 20}) {
      LayeredCuckoo copy = LayeredCuckoo.fromHeader(filter.header(), bytes -> true);
      for (LayeredCuckoo.Piece piece : pieces(filter, most)) {
        assertThat(copy.isLoading()).isTrue();
        copy.load(piece.chunk(), piece.next());
        copy = LayeredCuckoo.read(copy.toBytes(), bytes -> true);
      }

      assertThat(copy.isLoading()).isFalse();
      assertThat(copy.toBytes()).isEqualTo(filter.toBytes());
    }
  }

  @Test
  void load_truncatedOrFlippedForm_throwsAndChangesNothing() throws InvalidSnapshotException {
    LayeredCuckoo filter = grown();
    byte[] header = filter.header();
    LayeredCuckoo.Piece piece = pieces(filter, 200).get(0);

    for (byte[] broken : broken(header)) {
      assertThatThrownBy(() -> LayeredCuckoo.fromHeader(broken, bytes -> true))
          .isInstanceOf(InvalidSnapshotException.class);
    }
    LayeredCuckoo copy = LayeredCuckoo.fromHeader(header, bytes -> true);
    byte[] before = copy.toBytes();
    for (byte[] broken : broken(piece.chunk())) {
      assertThatThrownBy(() -> copy.load(broken, piece.next()))
          .isInstanceOf(InvalidSnapshotException.class);
    }
    assertThat(copy.toBytes()).isEqualTo(before);
    for (byte[] broken : broken(filter.toBytes())) {
      assertThatThrownBy(() -> LayeredCuckoo.read(broken, bytes -> true))
          .isInstanceOf(InvalidSnapshotException.class);
    }
  }

  @Test
  void load_chunksOutOfOrderOrOfAnotherFilter_throws() throws InvalidSnapshotException {
    LayeredCuckoo filter = grown();
    List<LayeredCuckoo.Piece> pieces = pieces(filter, 200);
    LayeredCuckoo copy = LayeredCuckoo.fromHeader(filter.header(), bytes -> true);
    LayeredCuckoo.Piece second = pieces.get(1);
    LayeredCuckoo.Piece first = pieces.get(0);

    assertThatThrownBy(() -> copy.load(second.chunk(), second.next()))
        .isInstanceOf(InvalidSnapshotException.class);
    assertThatThrownBy(() -> copy.load(first.chunk(), first.next() + 1))
        .isInstanceOf(InvalidSnapshotException.class);
    filter.delete(hash(filter, "i0"));
    LayeredCuckoo.Piece later = pieces(filter, 200).get(0);
    assertThatThrownBy(() -> copy.load(later.chunk(), later.next()))
        .isInstanceOf(InvalidSnapshotException.class);
    copy.load(first.chunk(), first.next());
    copy.load(first.chunk(), first.next());
    copy.load(second.chunk(), second.next());
    assertThatThrownBy(() -> filter.load(first.chunk(), first.next()))
        .isInstanceOf(InvalidSnapshotException.class);
  }

  @Test
  void fromHeader_tooLargeDimensions_throwsBeforeAllocation() {
    LayeredCuckoo huge = LayeredCuckoo.create(new CuckooShape(4, 2, 20, 32_768));
    var asked = new ArrayList<Long>();
    byte[] header = StoredForms.header(1L << 30, 1, 3, 4096);
    byte[] wide = StoredForms.header(1L << 29, 1, 1, 0);

    assertThatThrownBy(() -> LayeredCuckoo.fromHeader(header, asked::add))
        .isInstanceOf(InvalidSnapshotException.class);
    assertThat(asked).isEmpty();
    assertThatThrownBy(
            () ->
                LayeredCuckoo.fromHeader(
                    wide,
                    bytes -> {
                      asked.add(bytes);
                      return false;
                    }))
        .hasMessageContaining("too much memory");
    assertThat(asked).singleElement().satisfies(bytes -> assertThat(bytes).isGreaterThan(1L << 30));
    assertThat(huge.layers()).isEqualTo(1);
  }

  private static long missing(LayeredCuckoo filter, int items) {
    long missing = 0;
    for (int i = 0; i < items; i++) {
      missing += filter.contains(hash(filter, "in" + i)) ? 0 : 1;
    }
    return missing;
  }

  private static long falsePositives(LayeredCuckoo filter, int items) {
    long found = 0;
    for (int i = 0; i < items; i++) {
      found += filter.contains(hash(filter, "out" + i)) ? 1 : 0;
    }
    return found;
  }

  static List<byte[]> broken(byte[] form) {
    var broken = new ArrayList<byte[]>();
    for (int length = 0; length < form.length; length++) {
      broken.add(java.util.Arrays.copyOf(form, length));
    }
    for (int bit = 0; bit < 8 * form.length; bit++) {
      byte[] flipped = form.clone();
      flipped[bit / 8] ^= (byte) (1 << (bit % 8));
      broken.add(flipped);
    }
    return broken;
  }

  private static LayeredCuckoo grown() {
    LayeredCuckoo filter = LayeredCuckoo.create(new CuckooShape(20, 2, 20, 2));
    for (int i = 0; i < 100; i++) {
      filter.add(hash(filter, "i" + i), false, more -> true);
    }
    for (int i = 0; i < 30; i++) {
      filter.add(hash(filter, "same"), false, more -> true);
      filter.add(hash(filter, "also"), false, more -> true);
    }
    filter.delete(hash(filter, "i50"));
    return filter;
  }

  private static List<LayeredCuckoo.Piece> pieces(LayeredCuckoo filter, int most) {
    var pieces = new ArrayList<LayeredCuckoo.Piece>();
    long from = 0;
    for (var piece = filter.piece(from, most); piece != null; piece = filter.piece(from, most)) {
      pieces.add(piece);
      from = piece.next();
    }
    return pieces;
  }

  private static long hash(LayeredCuckoo filter, String item) {
    return filter.hash(item.getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }
}
