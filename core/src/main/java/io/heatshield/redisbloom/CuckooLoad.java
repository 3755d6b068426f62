package io.heatshield.redisbloom;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The progress of loading a dump.
 *
 * @param header the header of the dump
 * @param counts the number of fingerprints in each table when the load is complete
 * @param pairs the stored map of counts: items with more than eight copies
 * @param next the position of the next chunk
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record CuckooLoad(byte[] header, long[] counts, byte[] pairs, long next) {

  CuckooLoad advanceTo(long position) {
    return new CuckooLoad(header, counts, pairs, position);
  }

  CuckooLoad copy() {
    return new CuckooLoad(header, counts, pairs.clone(), next);
  }

  /** Returns the header's checksum, which is part of every chunk. */
  int seal() {
    return ByteBuffer.wrap(header)
        .order(ByteOrder.LITTLE_ENDIAN)
        .getInt(header.length - StoredBytes.SEAL);
  }
}
