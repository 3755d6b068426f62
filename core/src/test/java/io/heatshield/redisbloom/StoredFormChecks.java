package io.heatshield.redisbloom;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.snapshot.InvalidSnapshotException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Checks the handling of arbitrary bytes that are read as a stored form, header or chunk. */
final class StoredFormChecks {
  /** The maximum bytes of a structure in these tests. */
  static final long MAX_BYTES = 1 << 20;

  private static final byte[] ITEM = "item".getBytes(StandardCharsets.US_ASCII);

  private StoredFormChecks() {}

  /** Replaces the last four bytes of a form by the correct checksum. */
  static byte[] sealed(byte[] form) {
    byte[] content = Arrays.copyOf(form, Math.max(0, form.length - StoredBytes.SEAL));
    return StoredBytes.sealed(StoredBytes.allocate(content.length).put(content));
  }

  /** Reads bytes as every kind; a structure that results must work within its memory limit. */
  static int check(byte[] form) {
    int read = 0;
    for (StructureKind kind : StructureKind.values()) {
      Structure structure = StructureKind.read(kind.tag(), form, MAX_BYTES);
      if (structure != null) {
        read++;
        use(structure);
      }
    }
    return read;
  }

  /** Reads bytes as the header of a dump; a filter that results must expect chunks. */
  static void checkHeader(byte[] header) {
    try {
      LayeredCuckoo filter = LayeredCuckoo.fromHeader(header, bytes -> bytes <= MAX_BYTES);
      assertThat(filter.isLoading()).isTrue();
      assertThat(filter.bytes()).isLessThan(2 * MAX_BYTES);
    } catch (InvalidSnapshotException rejected) {
      assertThat(rejected).hasMessageStartingWith("snapshot ");
    }
  }

  /** Loads bytes as the next chunk of a dump; a rejected chunk must change nothing. */
  static void checkChunk(LayeredCuckoo loading, byte[] chunk, long next) {
    LayeredCuckoo filter = loading.copy();
    byte[] before = filter.toBytes();
    try {
      filter.load(chunk, next);
    } catch (InvalidSnapshotException rejected) {
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
      if (filter.add(hashed, false, more -> more < MAX_BYTES) == LayeredCuckoo.Added.ADDED) {
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
      top.add(ITEM, 3, more -> more < MAX_BYTES);
      assertThat(top.list()).hasSizeLessThanOrEqualTo((int) Math.min(MAX_BYTES, top.k()));
      assertThat(top.list()).allSatisfy(listed -> assertThat(listed.count()).isPositive());
      assertThat(before).isNotNegative();
    }
    assertThat(structure.bytes()).isLessThan(4 * MAX_BYTES);
    assertThat(structure.copy().toBytes()).isEqualTo(structure.toBytes());
  }
}
