package io.heatshield.redisbloom;

import static io.heatshield.snapshot.InvalidSnapshotException.require;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.snapshot.InvalidSnapshotException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A count-min sketch: estimates of counts in rows of 32-bit cells, never below the true counts.
 * Sketches can be added and subtracted.
 *
 * <p><b>Error.</b> As long as the distinct items fit into the memory of the cells, each item is
 * counted exactly. From then on an estimate exceeds the true count by at most <i>2 N / width</i>
 * with a probability of at least <i>1 - 2<sup>-depth</sup></i>, where <i>N</i> is the sum of all
 * counts. Counts saturate at 2<sup>32</sup> - 1, which means "at least".
 *
 * <p><b>Memory.</b> 4 bytes per cell, or less while items are counted exactly.
 *
 * <p>Updates are not conservative: otherwise the difference of two sketches could be below the true
 * count.
 */
public final class CountMin implements Structure {
  /** The value at which counts saturate. */
  public static final long MAX_COUNT = (1L << 32) - 1;

  private static final byte VERSION = 1;
  private static final int HEADER_BYTES = 1 + 1 + Secrets.BYTES + (3 * Long.BYTES) + Integer.BYTES;
  private static final int FIXED_BYTES = 160;

  private final HashSecret secret;
  private final KeyHash hash;
  private final long width;
  private final long depth;
  private @Nullable CountMap exact;
  private int[] cells;
  private long count;

  private CountMin(HashSecret secret, long width, long depth) {
    this.secret = secret;
    this.hash = KeyHash.fast(secret);
    this.width = width;
    this.depth = depth;
    this.exact = new CountMap();
    this.cells = new int[0];
  }

  /**
   * Returns an empty sketch.
   *
   * @param secret the 16-byte hash secret; sketches can be merged if they share it
   * @param width cells per row, at least 1
   * @param depth rows, at least 1; at most 2<sup>30</sup> cells in total
   */
  public static CountMin create(HashSecret secret, long width, long depth) {
    if (width < 1 || depth < 1 || width > (1 << 30) / depth) {
      throw new IllegalArgumentException("cells must be from 1 to 2^30: " + width + " x " + depth);
    }
    return new CountMin(secret, width, depth);
  }

  /** Returns the bytes of a sketch of this shape with its cells. */
  public static long bytes(long width, long depth) {
    return FIXED_BYTES + (width * depth * Integer.BYTES);
  }

  /**
   * Returns the sketch of a stored form.
   *
   * @param mayUse returns whether the given bytes may be used; called before any allocation
   */
  public static CountMin read(byte[] form, LongPredicate mayUse) throws InvalidSnapshotException {
    ByteBuffer in = StoredBytes.open(form);
    require(in.remaining() >= HEADER_BYTES && in.get() == VERSION, "is not of a sketch");
    boolean exact = in.get() == 1;
    HashSecret secret = Secrets.read(in);
    long width = in.getLong();
    long depth = in.getLong();
    long count = in.getLong();
    int items = in.getInt();
    require(width >= 1 && depth >= 1 && width <= (1 << 30) / depth, "has invalid dimensions");
    require(count >= 0 && items >= 0 && items <= CountMap.MAX_ITEMS, "is invalid");
    long content = exact ? items * 2L * Long.BYTES : width * depth * Integer.BYTES;
    require(in.remaining() == content, "has the wrong length");
    require(mayUse.test(bytes(width, depth)), "needs too much memory");
    var sketch = new CountMin(secret, width, depth);
    sketch.count = count;
    if (exact) {
      sketch.exact = CountMap.read(in, items, MAX_COUNT);
    } else {
      sketch.exact = null;
      sketch.cells = new int[(int) (width * depth)];
      in.asIntBuffer().get(sketch.cells);
    }
    return sketch;
  }

  /**
   * Returns the weighted sum of sketches, or null if a count would be negative or too large.
   *
   * @throws IllegalArgumentException if the sketches differ in shape or hash
   */
  public static @Nullable CountMin merge(List<CountMin> sources, long[] weights) {
    CountMin first = sources.get(0);
    var sum = new CountMin(first.secret, first.width, first.depth);
    for (CountMin source : sources) {
      if (!source.isLike(first)) {
        throw new IllegalArgumentException("sketches must have the same shape and hash");
      }
    }
    return CountMinSum.fill(sum, sources, weights) ? sum : null;
  }

  /** Returns whether two sketches have the same shape and hash. */
  public boolean isLike(CountMin other) {
    return width == other.width && depth == other.depth && isKeyedLike(other);
  }

  /** Returns whether two sketches have the same hash. */
  public boolean isKeyedLike(CountMin other) {
    return hash.fingerprint() == other.hash.fingerprint();
  }

  /** Returns the hash of an item, which all other methods accept. */
  public long hash(byte[] item) {
    return hash.hash(item);
  }

  /** Adds to a count and returns the new one, at most {@link #MAX_COUNT}. */
  public synchronized long add(long hashed, long by) {
    if (by < 0) {
      throw new IllegalArgumentException("by must not be negative: " + by);
    }
    count = count > Long.MAX_VALUE - by ? Long.MAX_VALUE : count + by;
    CountMap map = exact;
    if (map != null && (by == 0 || map.get(hashed) != 0 || map.size() < maxExactItems())) {
      long sum = Math.min(MAX_COUNT, map.get(hashed) + Math.min(MAX_COUNT, by));
      map.set(hashed, sum);
      return sum;
    }
    switchToCells();
    long minimum = MAX_COUNT;
    for (int row = 0; row < depth; row++) {
      minimum = Math.min(minimum, addToCell(cell(hashed, row), Math.min(MAX_COUNT, by)));
    }
    return minimum;
  }

  /** Returns the estimated count. */
  public synchronized long query(long hashed) {
    if (exact != null) {
      return exact.get(hashed);
    }
    long minimum = MAX_COUNT;
    for (int row = 0; row < depth; row++) {
      minimum = Math.min(minimum, Integer.toUnsignedLong(cells[cell(hashed, row)]));
    }
    return minimum;
  }

  /** Returns the cells per row. */
  public long width() {
    return width;
  }

  /** Returns the number of rows. */
  public long depth() {
    return depth;
  }

  /** Returns the sum of all counts. */
  public synchronized long count() {
    return count;
  }

  @Override
  public synchronized long bytes() {
    return FIXED_BYTES + (exact != null ? exact.bytes() : (long) cells.length * Integer.BYTES);
  }

  @Override
  public synchronized byte[] toBytes() {
    CountMap map = exact;
    int items = map == null ? 0 : map.size();
    ByteBuffer out =
        StoredBytes.allocate(
            HEADER_BYTES + (items * 2L * Long.BYTES) + ((long) cells.length * Integer.BYTES));
    out.put(VERSION).put((byte) (map == null ? 0 : 1)).put(secret.toBytes());
    out.putLong(width).putLong(depth).putLong(count).putInt(items);
    if (map != null) {
      map.writeTo(out);
    } else {
      out.asIntBuffer().put(cells);
      out.position(out.position() + (cells.length * Integer.BYTES));
    }
    return StoredBytes.sealed(out);
  }

  @Override
  public synchronized CountMin copy() {
    var copy = new CountMin(secret, width, depth);
    copy.exact = exact == null ? null : exact.copy();
    copy.cells = cells.clone();
    copy.count = count;
    return copy;
  }

  /** Returns the exact counts, or null if cells are used. */
  @Nullable CountMap exact() {
    return exact;
  }

  /** Switches from exact counts to cells if necessary, and returns the cells. */
  int[] switchToCells() {
    CountMap map = exact;
    if (map != null) {
      exact = null;
      cells = new int[(int) (width * depth)];
      map.forEach(
          (hashed, times) -> {
            for (int row = 0; row < depth; row++) {
              addToCell(cell(hashed, row), times);
            }
          });
    }
    return cells;
  }

  /** Adds all cells, multiplied by a weight, to sums; throws if a sum overflows. */
  synchronized void addTo(long[] sums, long weight) {
    CountMap map = exact;
    if (map == null) {
      for (int i = 0; i < cells.length; i++) {
        long times = Math.multiplyExact(Integer.toUnsignedLong(cells[i]), weight);
        sums[i] = Math.addExact(sums[i], times);
      }
      return;
    }
    map.forEach(
        (hashed, times) -> {
          for (int row = 0; row < depth; row++) {
            int cell = cell(hashed, row);
            sums[cell] = Math.addExact(sums[cell], Math.multiplyExact(times, weight));
          }
        });
  }

  void count(long sum) {
    count = sum;
  }

  /** Returns the maximum number of items that are counted exactly. */
  int maxExactItems() {
    return CountMap.maxExactItems(width * depth * Integer.BYTES);
  }

  private long addToCell(int cell, long by) {
    long sum = Math.min(MAX_COUNT, Integer.toUnsignedLong(cells[cell]) + by);
    cells[cell] = (int) sum;
    return sum;
  }

  private int cell(long hashed, int row) {
    return (int) (row * width + Mix.cell(hashed, row, width));
  }
}
