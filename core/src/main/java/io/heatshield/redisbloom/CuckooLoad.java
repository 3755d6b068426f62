package io.heatshield.redisbloom;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * How far a dump has been loaded.
 *
 * @param header the header of the dump
 * @param counts how many fingerprints each table must hold in the end
 * @param pairs room for the items that are in more than eight times
 * @param next where the next chunk begins
 */
@SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
record CuckooLoad(byte[] header, long[] counts, byte[] pairs, long next) {

  CuckooLoad to(long place) {
    return new CuckooLoad(header, counts, pairs, place);
  }

  CuckooLoad copy() {
    return new CuckooLoad(header, counts, pairs.clone(), next);
  }

  /** Returns the header's checksum, which every chunk carries. */
  int seal() {
    return ByteBuffer.wrap(header)
        .order(ByteOrder.LITTLE_ENDIAN)
        .getInt(header.length - StoredBytes.SEAL);
  }
}
