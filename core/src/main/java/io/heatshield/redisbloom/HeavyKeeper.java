package io.heatshield.redisbloom;

import static io.heatshield.snapshot.InvalidSnapshotException.require;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.snapshot.InvalidSnapshotException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The items that were added most often with their approximate counts, by the HeavyKeeper algorithm
 * (Gong et al., 2018).
 *
 * <p>An item has one cell in every row. If another item owns the cell, that item's count decays
 * with a probability that falls with the count, until the new item takes over the cell. The count
 * of an item is the largest of its cells. Unlike in the original, an item on the list is counted
 * exactly from the moment it was listed.
 *
 * <p><b>Error.</b> As long as the distinct items fit into the memory of the cells, each item is
 * counted exactly. From then on a count may be too low by the additions before the item got a cell,
 * and is too high only if two items share 32 bits of their hashes and a cell.
 *
 * <p><b>Memory.</b> 8 bytes per cell, and {@value #PLACE_BYTES} bytes plus the item per entry on
 * the list.
 */
public final class HeavyKeeper implements Structure {
  /** An item on the list. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  public record Listed(byte[] item, long count) {}

  /** The bytes of an entry on the list, in addition to its item. */
  public static final int PLACE_BYTES = 200;

  private static final byte VERSION = 1;
  private static final int HEADER_BYTES =
      1 + Secrets.BYTES + (5 * Long.BYTES) + (4 * Integer.BYTES);
  private static final int PAIR_BYTES = 2 * Long.BYTES;
  private static final int FIXED_BYTES = 256;
  private static final int DECAY_STEPS = 256;
  private static final long MAX_CELLS = 1L << 30;
  private static final long MAX_COUNT = 1L << 62;

  private final HashSecret secret;
  private final KeyHash hash;
  private final long k;
  private final long width;
  private final long depth;
  private final double decay;
  private @Nullable CountMap exact = new CountMap();
  private int[] fingerprints = {};
  private int[] counts = {};
  private final Map<Long, Entry> byHash = new HashMap<>();
  private final TreeSet<Entry> list = new TreeSet<>(Entry.LEAST_FIRST);
  private long itemBytes;
  private long updates;
  private long random = 1;

  private HeavyKeeper(HashSecret secret, long k, long width, long depth, double decay) {
    this.secret = secret;
    this.hash = KeyHash.fast(secret);
    this.k = k;
    this.width = width;
    this.depth = depth;
    this.decay = decay;
  }

  /**
   * Returns an empty list with its own hash secret.
   *
   * @param k the length of the list, at least 1
   * @param width cells per row, at least 1
   * @param depth rows, at least 1; at most 2<sup>30</sup> cells in total
   * @param decay the base of the decay probability, decay<sup>count</sup>; above 0 and at most 1
   */
  public static HeavyKeeper create(long k, long width, long depth, double decay) {
    if (k < 1 || width < 1 || depth < 1 || width > MAX_CELLS / depth || !isDecay(decay)) {
      throw new IllegalArgumentException(
          "k, width and depth must be positive, with at most 2^30 cells, and decay in (0, 1]: "
              + (k + ", " + width + ", " + depth + ", " + decay));
    }
    return new HeavyKeeper(Secrets.random(), k, width, depth, decay);
  }

  /** Returns the bytes of a full list without its items, or the largest long if it is too large. */
  public static long bytes(long k, long width, long depth) {
    return width > MAX_CELLS / depth || k > Integer.MAX_VALUE
        ? Long.MAX_VALUE
        : FIXED_BYTES + (2 * Integer.BYTES * width * depth) + (k * PLACE_BYTES);
  }

  /** Returns the list of a stored form, if its maximum bytes may be used. */
  public static HeavyKeeper read(byte[] form, LongPredicate mayUse)
      throws InvalidSnapshotException {
    ByteBuffer in = StoredBytes.open(form);
    require(in.remaining() >= HEADER_BYTES && in.get() == VERSION, "is not of a list");
    HashSecret secret = Secrets.read(in);
    long k = Integer.toUnsignedLong(in.getInt());
    long width = in.getLong();
    long depth = in.getLong();
    double decay = in.getDouble();
    long updates = in.getLong();
    long random = in.getLong();
    int cells = in.getInt();
    int items = in.getInt();
    int entries = in.getInt();
    require(width >= 1 && depth >= 1 && width <= MAX_CELLS / depth, "has invalid dimensions");
    require(k >= 1 && isDecay(decay), "is invalid");
    require(cells == 0 ? items >= 0 : cells == width * depth && items == 0, "is invalid");
    long content = (2L * Integer.BYTES * cells) + ((long) PAIR_BYTES * items);
    require(in.remaining() >= content, "ends too early");
    require(entries >= 0 && entries <= k, "has too many entries");
    require(mayUse.test(bytes(k, width, depth)), "needs too much memory");
    var read = new HeavyKeeper(secret, k, width, depth, decay);
    if (cells > 0) {
      read.exact = null;
      read.fingerprints = new int[cells];
      read.counts = new int[cells];
      in.asIntBuffer().get(read.fingerprints).get(read.counts);
      in.position(in.position() + (2 * Integer.BYTES * cells));
    }
    if (cells == 0) {
      read.exact = CountMap.read(in, items, MAX_COUNT);
    }
    for (int i = 0; i < entries; i++) {
      require(in.remaining() >= (2 * Long.BYTES) + Integer.BYTES, "ends too early");
      long count = in.getLong();
      long update = in.getLong();
      int length = in.getInt();
      require(
          count > 0 && count <= MAX_COUNT && update >= 0 && update < updates,
          "has an invalid entry");
      require(length >= 0 && length <= in.remaining(), "has an invalid entry");
      byte[] item = new byte[length];
      in.get(item);
      long hashed = read.hash(item);
      require(!read.byHash.containsKey(hashed), "has an item twice");
      read.addEntry(new Entry(item, hashed, count, update));
      require(read.list.size() == i + 1, "has two equal entries");
    }
    require(!in.hasRemaining(), "is too long");
    read.updates = updates;
    read.random = random;
    return read;
  }

  /** Returns the hash of an item, which other methods accept. */
  public long hash(byte[] item) {
    return hash.hash(item);
  }

  /**
   * Adds an item a number of times, and returns the item that it replaced on the list, or null.
   *
   * @param mayUse returns whether the given further bytes may be used; called for a new item
   */
  public synchronized byte @Nullable [] add(byte[] item, long by, LongPredicate mayUse) {
    long hashed = hash(item);
    long estimate = increment(hashed, by);
    Entry entry = byHash.get(hashed);
    if (entry != null) {
      list.remove(entry);
      entry.count = Math.max(estimate, entry.count + by);
      entry.update = updates++;
      list.add(entry);
      return null;
    }
    long count = list.size() < k ? Math.max(estimate, by) : estimate;
    if (count == 0 || (list.size() == k && count < list.first().count)) {
      return null;
    }
    if (!mayUse.test(item.length)) {
      return null;
    }
    Entry evicted = list.size() < k ? null : list.pollFirst();
    if (evicted != null) {
      byHash.remove(evicted.hashed);
      itemBytes -= evicted.item.length;
    }
    addEntry(new Entry(item, hashed, count, updates++));
    return evicted == null ? null : evicted.item;
  }

  /** Returns whether an item is on the list. */
  public synchronized boolean contains(long hashed) {
    return byHash.containsKey(hashed);
  }

  /** Returns the approximate count of an item. */
  public synchronized long count(long hashed) {
    Entry entry = byHash.get(hashed);
    if (entry != null) {
      return entry.count;
    }
    if (exact != null) {
      return exact.get(hashed);
    }
    long most = 0;
    for (int row = 0; row < depth; row++) {
      int cell = cell(hashed, row);
      if (fingerprints[cell] == (int) hashed) {
        most = Math.max(most, Integer.toUnsignedLong(counts[cell]));
      }
    }
    return most;
  }

  /** Returns the list, the largest count first; of equal counts the oldest first. */
  public synchronized List<Listed> list() {
    var all = new ArrayList<>(list);
    all.sort(Entry.MOST_FIRST);
    return all.stream().map(entry -> new Listed(entry.item, entry.count)).toList();
  }

  /** Returns the length of the list. */
  public long k() {
    return k;
  }

  /** Returns the cells per row. */
  public long width() {
    return width;
  }

  /** Returns the number of rows. */
  public long depth() {
    return depth;
  }

  /** Returns the decay. */
  public double decay() {
    return decay;
  }

  @Override
  public synchronized long bytes() {
    long cells = exact != null ? exact.bytes() : 2L * Integer.BYTES * fingerprints.length;
    return FIXED_BYTES + cells + itemBytes + ((long) PLACE_BYTES * list.size());
  }

  @Override
  public synchronized byte[] toBytes() {
    long entryBytes = list.size() * ((2L * Long.BYTES) + Integer.BYTES) + itemBytes;
    long content = 2L * Integer.BYTES * fingerprints.length;
    CountMap map = exact;
    int items = map == null ? 0 : map.size();
    ByteBuffer out =
        StoredBytes.allocate(HEADER_BYTES + content + ((long) PAIR_BYTES * items) + entryBytes);
    out.put(VERSION).put(secret.toBytes()).putInt((int) k).putLong(width).putLong(depth);
    out.putDouble(decay).putLong(updates).putLong(random);
    out.putInt(fingerprints.length).putInt(items).putInt(list.size());
    out.asIntBuffer().put(fingerprints).put(counts);
    out.position(out.position() + (int) content);
    if (map != null) {
      map.writeTo(out);
    }
    for (Entry entry : list) {
      out.putLong(entry.count).putLong(entry.update).putInt(entry.item.length).put(entry.item);
    }
    return StoredBytes.sealed(out);
  }

  @Override
  public synchronized HeavyKeeper copy() {
    var copy = new HeavyKeeper(secret, k, width, depth, decay);
    copy.exact = exact == null ? null : exact.copy();
    copy.fingerprints = fingerprints.clone();
    copy.counts = counts.clone();
    list.forEach(
        entry -> copy.addEntry(new Entry(entry.item, entry.hashed, entry.count, entry.update)));
    copy.updates = updates;
    copy.random = random;
    return copy;
  }

  private void addEntry(Entry entry) {
    list.add(entry);
    byHash.put(entry.hashed, entry);
    itemBytes += entry.item.length;
  }

  /** Counts an item, and returns its approximate count. */
  private long increment(long hashed, long by) {
    CountMap map = exact;
    if (map == null) {
      return incrementCells(hashed, by);
    }
    long sum = map.get(hashed) + by;
    if (sum == by && map.size() >= CountMap.maxExactItems(2 * Integer.BYTES * width * depth)) {
      switchToCells(map);
      return incrementCells(hashed, by);
    }
    map.set(hashed, sum);
    return sum;
  }

  /** Switches from exact counts to cells, the largest counts first. */
  private void switchToCells(CountMap map) {
    exact = null;
    fingerprints = new int[(int) (width * depth)];
    counts = new int[fingerprints.length];
    var items = new ArrayList<long[]>();
    map.forEach((hashed, count) -> items.add(new long[] {hashed, count}));
    items.sort(Comparator.comparingLong(item -> -item[1]));
    items.forEach(item -> incrementCells(item[0], item[1]));
  }

  private long incrementCells(long hashed, long by) {
    long most = 0;
    for (int row = 0; row < depth; row++) {
      int cell = cell(hashed, row);
      long left = by;
      if (fingerprints[cell] != (int) hashed) {
        left = counts[cell] == 0 ? by : decayCell(cell, by);
        if (counts[cell] == 0 && left > 0) {
          fingerprints[cell] = (int) hashed;
        }
      }
      if (fingerprints[cell] == (int) hashed) {
        long sum = Math.min(CountMin.MAX_COUNT, Integer.toUnsignedLong(counts[cell]) + left);
        counts[cell] = (int) sum;
        most = Math.max(most, sum);
      }
    }
    return most;
  }

  /** Decays the count of a cell's owner, and returns the additions left when it reached 0. */
  private long decayCell(int cell, long by) {
    long count = Integer.toUnsignedLong(counts[cell]);
    long step = Math.max(1, by / DECAY_STEPS);
    for (long left = by; left > 0; left -= step) {
      double expected = Math.min(step, left) * Math.pow(decay, (double) count);
      long whole = (long) expected;
      long decrements = Math.min(count, whole + (randomDouble() < expected - whole ? 1 : 0));
      count -= decrements;
      if (count == 0) {
        counts[cell] = 0;
        return left - decrements + 1;
      }
    }
    counts[cell] = (int) count;
    return 0;
  }

  private double randomDouble() {
    random = Mix.of(random);
    return (random >>> 11) * 0x1p-53;
  }

  private int cell(long hashed, int row) {
    return (int) (row * width + Mix.cell(hashed, row + 1, width));
  }

  private static boolean isDecay(double decay) {
    return decay > 0 && decay <= 1;
  }

  /** An item on the list; entries with equal counts are ordered by their last update. */
  private static final class Entry {
    static final Comparator<Entry> LEAST_FIRST =
        Comparator.<Entry>comparingLong(entry -> entry.count)
            .thenComparingLong(entry -> entry.update);
    static final Comparator<Entry> MOST_FIRST =
        Comparator.<Entry>comparingLong(entry -> -entry.count)
            .thenComparingLong(entry -> entry.update);

    final byte[] item;
    final long hashed;
    long update;
    long count;

    Entry(byte[] item, long hashed, long count, long update) {
      this.item = item;
      this.hashed = hashed;
      this.count = count;
      this.update = update;
    }
  }
}
