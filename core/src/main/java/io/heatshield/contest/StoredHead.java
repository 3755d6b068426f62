package io.heatshield.contest;

import static io.heatshield.snapshot.InvalidSnapshotException.require;

import io.heatshield.hash.KeyHash;
import io.heatshield.key.KeyForm;
import io.heatshield.snapshot.SealedBytes;
import java.io.IOException;
import java.io.InputStream;

/**
 * What the stored forms of tables and blocks begin with, and how both store a key.
 *
 * <pre>
 * head  0  8  kind of snapshot, eight letters
 *       8  2  version, 1
 *      10  2  zero
 *      12  4  number of entries, 0 to 10,000,000
 *      16  8  fingerprint of the key hash function
 *      24  8  wall time it was taken at, in ms since 1970
 * key   0  2  bytes of the stored key k, 0 to 512 or 524
 *       2  8  hash
 *      10  k  the key, as {@link KeyForm} stores it
 * </pre>
 */
record StoredHead(long kind, int count, long hashFingerprint, long epochMillis) {
  /** Times and ages are cut off at 100 years, which no gap that matters reaches. */
  static final long MOST_NANOS = 100L * 366 * 24 * 3600 * 1_000_000_000;

  private static final int BYTES = 32;
  private static final int VERSION = 1;

  /** How far clocks may differ before a snapshot is held to be from the future. */
  private static final long CLOCK_SLACK_MILLIS = 60_000;

  /** A key that was read, and its hash. */
  static final class Key {
    final long hash;
    final byte[] stored;

    private Key(long hash, byte[] stored) {
      this.hash = hash;
      this.stored = stored;
    }

    /** Refuses a key that cannot be, or whose hash is another's. */
    void check(KeyHash function) throws IOException {
      if (stored.length == KeyForm.FOLDED_BYTES) {
        require(
            KeyForm.fullLength(stored) > KeyForm.MAX_BYTES, "cannot be: a key cut that was short");
      } else {
        require(function.hash(stored) == hash, "cannot be: a key with another's hash");
      }
    }
  }

  static void put(SealedBytes bytes, StoredHead head) {
    bytes.put(head.kind, Long.BYTES);
    bytes.put(VERSION, Short.BYTES);
    bytes.put(0, Short.BYTES);
    bytes.put(head.count, Integer.BYTES);
    bytes.put(head.hashFingerprint, Long.BYTES);
    bytes.put(head.epochMillis, Long.BYTES);
  }

  static void putKey(SealedBytes bytes, long hash, byte[] stored) {
    bytes.put(stored.length, Short.BYTES);
    bytes.put(hash, Long.BYTES);
    bytes.put(stored);
  }

  /** Reads the head and {@code more} bytes behind it, up to the seal, which the caller checks. */
  static StoredHead read(InputStream in, SealedBytes bytes, long kind, int more)
      throws IOException {
    bytes.more(in, BYTES);
    require(bytes.take(Long.BYTES) == kind, "is of another kind");
    long version = bytes.take(Short.BYTES);
    require(version == VERSION, "has version " + version + ", not " + VERSION);
    require(bytes.take(Short.BYTES) == 0, "has bytes set that must be zero");
    int count = (int) bytes.take(Integer.BYTES);
    require(
        count >= 0 && count <= ContestTableBuilder.MAX_SLOTS,
        "must have 0 to " + ContestTableBuilder.MAX_SLOTS + " entries: " + count);
    var head = new StoredHead(kind, count, bytes.take(Long.BYTES), bytes.take(Long.BYTES));
    bytes.more(in, more);
    return head;
  }

  /** Reads a key; more of the same block follows. */
  static Key readKey(InputStream in, SealedBytes bytes) throws IOException {
    bytes.more(in, Short.BYTES + Long.BYTES);
    int length = (int) bytes.take(Short.BYTES);
    require(
        length <= KeyForm.MAX_BYTES || length == KeyForm.FOLDED_BYTES,
        "cannot be: a key of " + length + " bytes");
    long hash = bytes.take(Long.BYTES);
    bytes.more(in, length);
    return new Key(hash, bytes.takeBytes(length));
  }

  /** Returns the time since the snapshot was taken, having checked where and when that was. */
  long gapNanos(long fingerprint, long nowMillis) throws IOException {
    require(hashFingerprint == fingerprint, "was made under another hash function or secret");
    require(
        epochMillis >= 0 && epochMillis - nowMillis <= CLOCK_SLACK_MILLIS, "is from the future");
    return Math.min(Math.max(0, nowMillis - epochMillis), MOST_NANOS / 1_000_000) * 1_000_000;
  }
}
