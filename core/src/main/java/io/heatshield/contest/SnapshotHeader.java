package io.heatshield.contest;

import static io.heatshield.snapshot.InvalidSnapshotException.require;

import io.heatshield.hash.KeyHash;
import io.heatshield.key.KeyForm;
import io.heatshield.snapshot.SealedBytes;
import java.io.IOException;
import java.io.InputStream;

/**
 * The header of stored tables and blocks, and the format of a key in both.
 *
 * <pre>
 * header  0  8  kind of snapshot, eight letters
 *         8  2  version, 1
 *        10  2  zero
 *        12  4  number of entries, 0 to 10,000,000
 *        16  8  fingerprint of the key hash function
 *        24  8  wall time of the snapshot, in ms since 1970
 * key     0  2  length k of the stored key, 0 to 512 or 524
 *         2  8  hash
 *        10  k  the key in the stored form of {@link KeyForm}
 * </pre>
 */
record SnapshotHeader(long kind, int count, long hashFingerprint, long epochMillis) {
  /** The longest time or age, 100 years; longer ones are cut to it. */
  static final long MAX_NANOS = 100L * 366 * 24 * 3600 * 1_000_000_000;

  private static final int BYTES = 32;
  private static final int VERSION = 1;

  /** The most by which a snapshot's time may be in the future, since clocks differ. */
  private static final long CLOCK_TOLERANCE_MILLIS = 60_000;

  /** A stored key and its hash, as read from a snapshot. */
  static final class Key {
    final long hash;
    final byte[] stored;

    private Key(long hash, byte[] stored) {
      this.hash = hash;
      this.stored = stored;
    }

    /** Checks that the key is possible and has its own hash, if that can be computed. */
    void verify(KeyHash function) throws IOException {
      if (stored.length == KeyForm.FOLDED_BYTES) {
        require(
            KeyForm.fullLength(stored) > KeyForm.MAX_BYTES,
            "has a truncated key of " + KeyForm.fullLength(stored) + " bytes");
      } else {
        require(function.hash(stored) == hash, "has a key with the hash of another key");
      }
    }
  }

  void write(SealedBytes bytes) {
    bytes.put(kind, Long.BYTES);
    bytes.put(VERSION, Short.BYTES);
    bytes.put(0, Short.BYTES);
    bytes.put(count, Integer.BYTES);
    bytes.put(hashFingerprint, Long.BYTES);
    bytes.put(epochMillis, Long.BYTES);
  }

  static void writeKey(SealedBytes bytes, long hash, byte[] stored) {
    bytes.put(stored.length, Short.BYTES);
    bytes.put(hash, Long.BYTES);
    bytes.put(stored);
  }

  /** Reads the header and {@code more} bytes after it; the caller checks the checksum. */
  static SnapshotHeader read(InputStream in, SealedBytes bytes, long kind, int more)
      throws IOException {
    bytes.more(in, BYTES);
    require(bytes.take(Long.BYTES) == kind, "is of another kind");
    long version = bytes.take(Short.BYTES);
    require(version == VERSION, "has version " + version + ", not " + VERSION);
    require(bytes.take(Short.BYTES) == 0, "has bytes set that must be zero");
    int count = (int) bytes.take(Integer.BYTES);
    require(
        count >= 0 && count <= HeavyHittersBuilder.MAX_KEYS,
        "must have 0 to " + HeavyHittersBuilder.MAX_KEYS + " entries: " + count);
    var header = new SnapshotHeader(kind, count, bytes.take(Long.BYTES), bytes.take(Long.BYTES));
    bytes.more(in, more);
    return header;
  }

  /** Reads a key; the caller reads the rest of the block and its checksum. */
  static Key readKey(InputStream in, SealedBytes bytes) throws IOException {
    bytes.more(in, Short.BYTES + Long.BYTES);
    int length = (int) bytes.take(Short.BYTES);
    require(
        length <= KeyForm.MAX_BYTES || length == KeyForm.FOLDED_BYTES,
        "has an invalid key length: " + length + " bytes");
    long hash = bytes.take(Long.BYTES);
    bytes.more(in, length);
    return new Key(hash, bytes.takeBytes(length));
  }

  /** Returns the time since the snapshot, after checking its hash function and its time. */
  long ageNanos(long fingerprint, long nowMillis) throws IOException {
    require(hashFingerprint == fingerprint, "was made under another hash function or secret");
    require(
        epochMillis >= 0 && epochMillis - nowMillis <= CLOCK_TOLERANCE_MILLIS,
        "is from the future");
    return Math.min(Math.max(0, nowMillis - epochMillis), MAX_NANOS / 1_000_000) * 1_000_000;
  }
}
