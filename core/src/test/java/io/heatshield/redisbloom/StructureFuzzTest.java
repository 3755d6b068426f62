package io.heatshield.redisbloom;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.heatshield.hash.HashSecret;
import io.heatshield.snapshot.InvalidSnapshotException;

/**
 * Checks that any bytes, also with a correct checksum, are rejected or read as a structure, header
 * or chunk that stays within its memory limit.
 */
class StructureFuzzTest {
  @FuzzTest
  void read_anyBytes_returnsAValidStructureOrNull(byte[] bytes) throws InvalidSnapshotException {
    byte[] sealed = StoredFormChecks.sealed(bytes);

    StoredFormChecks.check(bytes);
    StoredFormChecks.check(sealed);
    StoredFormChecks.checkHeader(bytes);
    StoredFormChecks.checkHeader(sealed);
    LayeredCuckoo loading = loading();
    long next = Math.max(0, bytes.length - CuckooDump.CHUNK_HEADER_BYTES - StoredBytes.SEAL);
    StoredFormChecks.checkChunk(loading, bytes, next);
    StoredFormChecks.checkChunk(loading, sealed, next);
  }

  private static LayeredCuckoo loading() throws InvalidSnapshotException {
    var secret = HashSecret.of(new byte[16]);
    var filter = new LayeredCuckoo(new CuckooShape(10, 2, 20, 1), secret, 1);
    filter.layers.add(filter.shape().layer(0, 1));
    filter.add(1, false, more -> true);
    return LayeredCuckoo.fromHeader(filter.header(), bytes -> true);
  }
}
