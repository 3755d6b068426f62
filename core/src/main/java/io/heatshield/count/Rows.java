package io.heatshield.count;

/**
 * Computes the positions of a key in the rows of a sketch from its 64-bit hash.
 *
 * <p>For uniform hashes, the position in each row is uniform for any width, and two keys that
 * collide in one row collide in another no more often than any two keys do.
 */
public final class Rows {
  /** The most rows with independent positions. */
  public static final int MAX_DEPTH = 16;

  /*
   * Row r rotates the hash by 16 r bits, multiplies it by an odd constant and scales the upper 32
   * bits of the product to the width: one position is more likely than another by at most
   * width / 2^32. Rotation does not commute with the product, and the constants (outputs of
   * SplitMix64 from seed 0, made odd) have no small relation, so the position in one row is no
   * multiple of that in another. With the usual sums h1 + r * h2, keys that collide in two rows
   * collide in all. Pinned by RowsTest.
   */
  private static final int ROTATION = 16;
  private static final long[] ODD = {
    0xe220a8397b1dcdafL,
    0x6e789e6aa1b965f5L,
    0x06c45d188009454fL,
    0xf88bb8a8724c81edL,
    0x1b39896a51a8749bL,
    0x53cb9f0c747ea2ebL,
    0x2c829abe1f4532e1L,
    0xc584133ac916ab3dL,
    0x3ee5789041c98ac3L,
    0xf3b8488c368cb0a7L,
    0x657eecdd3cb13d09L,
    0xc2d326e0055bdef7L,
    0x8621a03fe0bbdb7bL,
    0x8e1f7555983aa92fL,
    0xb54e0f1600cc4d19L,
    0x84bb3f97971d80abL
  };

  private Rows() {}

  /**
   * Returns the position in a row, from 0 to {@code width - 1}.
   *
   * <p>The arguments are not checked: this runs for every row of every touch.
   *
   * @param hash the key's hash, from a {@code KeyHash}
   * @param row the row, from 0 to {@link #MAX_DEPTH} - 1
   * @param width the number of positions, at least 1
   */
  public static int position(long hash, int row, long width) {
    long mixed = Long.rotateLeft(hash, ROTATION * row) * ODD[row];
    return (int) (((mixed >>> Integer.SIZE) * width) >>> Integer.SIZE);
  }
}
