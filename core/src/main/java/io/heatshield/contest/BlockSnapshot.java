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
 * An immutable copy of the blocks that hold, and its stored form.
 *
 * <p>The form, version 1; numbers are little-endian:
 *
 * <pre>
 * offset  bytes  what
 *      0     32  head of {@link StoredHead}, kind "HSBLOCKS"
 *     32      4  checksum
 * then for each block:
 *      0  10 + k  key of {@link StoredHead}
 *      ..      8  time left in ns, above 0 and at most 366 days
 *      ..      4  tag
 *      ..      4  checksum
 * </pre>
 *
 * {@link SealedBytes} says what a checksum is of. Nothing is said about what follows the last one.
 */
public final class BlockSnapshot {
  private static final long KIND = 0x534b434f4c425348L; // "HSBLOCKS"

  private final long hashFingerprint;
  private final List<BlockedKey> blocks;

  BlockSnapshot(long hashFingerprint, List<BlockedKey> blocks) {
    this.hashFingerprint = hashFingerprint;
    this.blocks = List.copyOf(blocks);
  }

  /**
   * Writes the stored form, and leaves the stream open.
   *
   * @param epochMillis the wall time at which the snapshot was taken
   */
  public void writeTo(OutputStream out, long epochMillis) throws IOException {
    var bytes = new SealedBytes();
    StoredHead.put(bytes, new StoredHead(KIND, blocks.size(), hashFingerprint, epochMillis));
    bytes.seal(out);
    for (BlockedKey block : blocks) {
      StoredHead.putKey(bytes, block.hash(), block.stored());
      bytes.put(block.leftNanos(), Long.BYTES);
      bytes.put(block.tag(), Integer.BYTES);
      bytes.seal(out);
    }
  }

  /** Reads the blocks of a stored snapshot that still hold, the longest first, or says why not. */
  static List<BlockedKey> read(InputStream in, long epochMillis, KeyHash function)
      throws IOException {
    var bytes = new SealedBytes();
    StoredHead head = StoredHead.read(in, bytes, KIND, 0);
    bytes.checkSeal(in);
    long gap = head.gapNanos(function.fingerprint(), epochMillis);
    var blocks = new ArrayList<BlockedKey>();
    for (int i = 0; i < head.count(); i++) {
      StoredHead.Key key = StoredHead.readKey(in, bytes);
      bytes.more(in, Long.BYTES + Integer.BYTES);
      long left = bytes.take(Long.BYTES);
      int tag = (int) bytes.take(Integer.BYTES);
      bytes.checkSeal(in);
      key.check(function);
      require(
          left > 0 && left <= ContestTableBuilder.MAX_SPAN.toNanos(),
          "cannot be: a block for " + left + " ns");
      if (left > gap) {
        blocks.add(new BlockedKey(key.hash, key.stored, left - gap, tag));
      }
    }
    blocks.sort(BlockedKey::longestFirst);
    return blocks;
  }
}
