package io.heatshield.redisbloom;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.snapshot.InvalidSnapshotException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** What must hold of any bytes that are read as a stored form or taken as a piece of a dump. */
final class AnyForm {
  /** The most bytes that a structure may take in these tests. */
  static final long MOST = 1 << 20;

  private static final byte[] ITEM = "item".getBytes(StandardCharsets.US_ASCII);

  private AnyForm() {}

  /** Returns a form with the checksum of what is before its last four bytes. */
  static byte[] sealed(byte[] form) {
    byte[] content = Arrays.copyOf(form, Math.max(0, form.length - StoredBytes.SEAL));
    return StoredBytes.sealed(StoredBytes.allocate(content.length).put(content));
  }

  /** Reads bytes as every kind; what comes of it works and stays within its bytes. */
  static int check(byte[] form) {
    int read = 0;
    for (StructureKind kind : StructureKind.values()) {
      Structure structure = StructureKind.read(kind.tag(), form, MOST);
      if (structure != null) {
        read++;
        use(structure);
      }
    }
    return read;
  }

  /** Takes bytes as the header of a dump; what comes of it waits for its chunks. */
  static void checkHeader(byte[] header) {
    try {
      LayeredCuckoo filter = LayeredCuckoo.fromHeader(header, bytes -> bytes <= MOST);
      assertThat(filter.isLoading()).isTrue();
      assertThat(filter.bytes()).isLessThan(2 * MOST);
    } catch (InvalidSnapshotException refused) {
      assertThat(refused).hasMessageStartingWith("snapshot ");
    }
  }

  /** Takes bytes as the next chunk of a dump, which changes nothing if it is refused. */
  static void checkChunk(LayeredCuckoo loading, byte[] chunk, long next) {
    LayeredCuckoo filter = loading.copy();
    byte[] before = filter.toBytes();
    try {
      filter.load(chunk, next);
    } catch (InvalidSnapshotException refused) {
      assertThat(filter.isLoading()).isTrue();
      if (next < contentEnd(filter)) {
        assertThat(filter.toBytes()).isEqualTo(before);
      }
    }
  }

  private static long contentEnd(LayeredCuckoo filter) {
    return filter.bytes();
  }

  private static void use(Structure structure) {
    if (structure instanceof LayeredCuckoo filter && !filter.isLoading()) {
      long hashed = filter.hash(ITEM);
      long before = filter.count(hashed);
      if (filter.add(hashed, false, more -> more < MOST) == LayeredCuckoo.Added.ADDED) {
        assertThat(filter.count(hashed)).isGreaterThan(before);
        assertThat(filter.delete(hashed)).isTrue();
      }
      filter.compact();
      assertThat(filter.size()).isNotNegative();
    } else if (structure instanceof CountMin sketch) {
      long hashed = sketch.hash(ITEM);
      long before = sketch.query(hashed);
      assertThat(sketch.add(hashed, 3)).isEqualTo(Math.min(CountMin.MAX_COUNT, before + 3));
      assertThat(sketch.count()).isNotNegative();
    } else if (structure instanceof HeavyKeeper top) {
      long before = top.count(top.hash(ITEM));
      top.add(ITEM, 3, more -> more < MOST);
      assertThat(top.list()).hasSizeLessThanOrEqualTo((int) Math.min(MOST, top.k()));
      assertThat(top.list()).allSatisfy(listed -> assertThat(listed.count()).isPositive());
      assertThat(before).isNotNegative();
    }
    assertThat(structure.bytes()).isLessThan(4 * MOST);
    assertThat(structure.copy().toBytes()).isEqualTo(structure.toBytes());
  }
}
