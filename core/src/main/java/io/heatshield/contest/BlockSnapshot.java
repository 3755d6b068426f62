package io.heatshield.contest;

import static io.heatshield.snapshot.InvalidSnapshotException.require;

import io.heatshield.hash.KeyHash;
import io.heatshield.snapshot.SealedBytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * An immutable copy of the active blocks, and its stored form.
 *
 * <p>The stored form, version 1; numbers are little-endian:
 *
 * <pre>
 * offset  bytes  what
 *      0     32  header, see {@link SnapshotHeader}, kind "HSBLOCKS"
 *     32      4  checksum
 * then for each block:
 *      0  10 + k  key, see {@link SnapshotHeader}
 *      ..      8  time left in ns, above 0 and at most 366 days
 *      ..      4  tag
 *      ..      4  checksum
 * </pre>
 *
 * {@link SealedBytes} defines the checksums. Bytes after the last checksum are not read.
 */
final class BlockSnapshot {
  private static final long KIND = 0x534b434f4c425348L; // "HSBLOCKS"

  private final long hashFingerprint;
  private final List<BlockedKey> blocks;

  BlockSnapshot(long hashFingerprint, List<BlockedKey> blocks) {
    this.hashFingerprint = hashFingerprint;
    this.blocks = List.copyOf(blocks);
  }

  /**
   * Writes the stored form; does not close the stream.
   *
   * @param epochMillis the wall time of the snapshot
   */
  void writeTo(OutputStream out, long epochMillis) throws IOException {
    var bytes = new SealedBytes();
    new SnapshotHeader(KIND, blocks.size(), hashFingerprint, epochMillis).write(bytes);
    bytes.seal(out);
    for (BlockedKey block : blocks) {
      SnapshotHeader.writeKey(bytes, block.hash(), block.stored());
      bytes.put(block.leftNanos(), Long.BYTES);
      bytes.put(block.tag(), Integer.BYTES);
      bytes.seal(out);
    }
  }

  /** Reads a stored snapshot and returns the blocks that are still active, the longest first. */
  static List<BlockedKey> read(InputStream in, long epochMillis, KeyHash function)
      throws IOException {
    var bytes = new SealedBytes();
    SnapshotHeader header = SnapshotHeader.read(in, bytes, KIND, 0);
    bytes.checkSeal(in);
    long age = header.ageNanos(function.fingerprint(), epochMillis);
    var blocks = new ArrayList<BlockedKey>();
    for (int i = 0; i < header.count(); i++) {
      SnapshotHeader.Key key = SnapshotHeader.readKey(in, bytes);
      bytes.more(in, Long.BYTES + Integer.BYTES);
      long left = bytes.take(Long.BYTES);
      int tag = (int) bytes.take(Integer.BYTES);
      bytes.checkSeal(in);
      key.verify(function);
      require(
          left > 0 && left <= HeavyHittersBuilder.MAX_SPAN.toNanos(),
          "has an invalid block time: " + left + " ns");
      if (left > age) {
        blocks.add(new BlockedKey(key.hash, key.stored, left - age, tag));
      }
    }
    blocks.sort(BlockedKey::longestFirst);
    return blocks;
  }
}
