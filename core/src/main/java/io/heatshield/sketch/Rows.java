package io.heatshield.sketch;

/**
 * The positions of a key in the rows of a sketch, all taken from its one 64-bit hash.
 *
 * <p>Over hashes that are uniform, each row's position is uniform over any width, and two keys that
 * meet in one row meet in another no more often than any two keys do.
 */
public final class Rows {
  /** The most rows that have positions of their own. */
  public static final int MAX_DEPTH = 16;

  /*
   * Row r rotates the hash by 23 r bits, multiplies it by an odd constant and scales the product's 63 upper bits to the
   * width. The rotations differ (23 is odd) and do not commute with the product, so one row's position is no multiple
   * of another's: the sums h1 + r * h2 that are often used make keys that meet in two rows meet in all. Any 16 of the
   * rotations are distinct modulo 64. Pinned by RowsTest.
   */
  private static final int TURN = 23;
  private static final long ODD = 0x9e3779b97f4a7c15L;

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
  public static int position(long hash, int row, int width) {
    long mixed = Long.rotateLeft(hash, TURN * row) * ODD;
    return (int) Math.multiplyHigh(mixed >>> 1, (long) width << 1);
  }
}
