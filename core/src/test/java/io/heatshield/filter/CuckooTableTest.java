package io.heatshield.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CuckooTableTest {
  private static final int NO_LIMIT = Integer.MAX_VALUE;

  @Test
  void otherBucket_appliedTwice_returnsTheFirstBucket() {
    for (long buckets = 2; buckets < 300; buckets += 2) {
      Lookup lookup = new CuckooTable(Geometry.of(8, 4, buckets), 10).lookup();
      for (long bucket = 0; bucket < buckets; bucket++) {
        for (long fingerprint = 1; fingerprint < 256; fingerprint++) {
          long other = lookup.otherBucket(bucket, fingerprint);

          assertThat(other).isBetween(0L, buckets - 1).isNotEqualTo(bucket);
          assertThat(lookup.otherBucket(other, fingerprint)).isEqualTo(bucket);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "4, 13, 7",
    "4, 13, 100",
    "4, 13, 999",
    "4, 13, 65537",
    "4, 13, 500003",
    "4, 8, 300007",
    "4, 4, 100003",
    "4, 32, 100003",
    "8, 16, 100003",
    "5, 20, 100003",
    "3, 12, 100003",
    "2, 13, 50021",
    "2, 12, 50021",
    "8, 7, 50021",
    "4, 16, 77777"
  })
  void add_upToTheCapacity_acceptsAndFindsAll(int bucketSize, int bits, long items) {
    Geometry geometry = Geometry.of(bits, bucketSize, Geometry.buckets(items, bucketSize, bits));
    var table = new CuckooTable(geometry, 500);

    var keys = new SplittableRandom(items);
    for (long i = 0; i < geometry.capacity(); i++) {
      assertThat(table.add(keys.nextLong(), NO_LIMIT)).isEqualTo(CuckooTable.AddOutcome.ADDED);
    }

    keys = new SplittableRandom(items);
    for (long i = 0; i < geometry.capacity(); i++) {
      assertThat(table.contains(keys.nextLong())).isTrue();
    }
    assertThat(table.size()).isEqualTo(geometry.capacity());
    assertThat(table.add(keys.nextLong(), NO_LIMIT)).isEqualTo(CuckooTable.AddOutcome.FULL);
  }

  @Test
  void add_noEvictionChainWithinTheLimit_refusesAndLosesNothing() {
    Geometry geometry = Geometry.of(13, 4, 1_000);
    var table = new CuckooTable(geometry, 2);
    var keys = new SplittableRandom(4);
    var accepted = new ArrayList<Long>();
    int refused = 0;

    while (accepted.size() < geometry.capacity() && refused < 1_000) {
      long key = keys.nextLong();
      if (table.add(key, NO_LIMIT) == CuckooTable.AddOutcome.ADDED) {
        accepted.add(key);
      } else {
        refused++;
      }
    }

    assertThat(refused).isPositive();
    assertThat(table.failedSearches()).isPositive();
    assertThat(table.size()).isEqualTo(accepted.size());
    assertThat(accepted).allMatch(table::contains);
  }

  @Test
  void add_oneKeyRepeatedly_stopsAtMaxCopies() {
    Geometry geometry = Geometry.of(13, 4, Geometry.buckets(1_000, 4, 13));
    var table = new CuckooTable(geometry, 500);
    int added = 0;
    for (int i = 0; i < 1_000; i++) {
      added += table.add(42L << 40, 4) == CuckooTable.AddOutcome.ADDED ? 1 : 0;
    }

    var keys = new SplittableRandom(8);
    for (int i = 0; i < 1_000 - added; i++) {
      assertThat(table.add(keys.nextLong(), 4)).isEqualTo(CuckooTable.AddOutcome.ADDED);
    }

    assertThat(added).isEqualTo(4);
    assertThat(table.count(42L << 40)).isEqualTo(4);
  }

  @Test
  void withBits_fewerBits_findsAndDeletesEveryKey() {
    Geometry geometry = Geometry.of(16, 4, Geometry.buckets(20_000, 4, 16));
    var table = new CuckooTable(geometry, 500);
    var keys = new SplittableRandom(3);
    long[] hashes = keys.longs(20_000).toArray();
    // Fingerprints with leading zeros only, which must become 1 instead of 0 at every length.
    for (int i = 0; i < 16; i++) {
      hashes[i] = (hashes[i] & ~0xffffffffL) | (1L << i);
    }
    for (long hash : hashes) {
      table.add(hash, NO_LIMIT);
    }

    for (int bits = 15; bits >= 8; bits--) {
      table.lockWriters();
      CuckooTable smaller = table.withBits(bits);
      table.unlockWriters();
      for (long hash : hashes) {
        assertThat(smaller.contains(hash)).isTrue();
      }
      table = smaller;
    }
    for (long hash : hashes) {
      assertThat(table.delete(hash)).isEqualTo(CuckooTable.DeleteOutcome.DELETED);
    }

    assertThat(table.size()).isZero();
    assertThat(table.copyOfFingerprints().count(0, 0)).isEqualTo(4);
  }

  @ParameterizedTest
  @CsvSource({"4, 4", "8, 4", "13, 4", "8, 2", "12, 1", "31, 2", "32, 8"})
  void contains_hashWithFingerprintZero_isFoundAfterMoves(int bits, int slots) {
    var table = new CuckooTable(Geometry.of(bits, slots, 4), 500);
    long zero = 7L << 60;
    assertThat(table.add(zero, NO_LIMIT)).isEqualTo(CuckooTable.AddOutcome.ADDED);

    var keys = new SplittableRandom(bits);
    for (int i = 0; i < 1_000; i++) {
      long key = keys.nextLong();
      if (table.add(key, NO_LIMIT) == CuckooTable.AddOutcome.ADDED && i % 2 == 0) {
        assertThat(table.delete(key)).isEqualTo(CuckooTable.DeleteOutcome.DELETED);
      }
    }

    assertThat(table.contains(zero)).isTrue();
    assertThat(table.lookup().fingerprint(zero)).isEqualTo(1);
  }

  @Test
  void add_retiredTable_returnsRetired() {
    var table = new CuckooTable(Geometry.of(13, 4, 10), 500);
    table.lockWriters();
    table.retire();
    table.unlockWriters();

    assertThat(table.add(1, NO_LIMIT)).isEqualTo(CuckooTable.AddOutcome.RETIRED);
    assertThat(table.delete(1)).isEqualTo(CuckooTable.DeleteOutcome.RETIRED);
    assertThat(table.logDeleted(1)).isFalse();
  }
}
