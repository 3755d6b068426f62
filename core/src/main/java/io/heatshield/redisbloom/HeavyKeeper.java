package io.heatshield.redisbloom;

import static io.heatshield.redisbloom.StoredBytes.require;

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
 * The items that were added most often, and about how often, after HeavyKeeper (Gong et al., 2018).
 *
 * <p>Every row has a cell for an item; of two items in one cell the one that is in lets its count
 * decay, with a probability that falls with the count, until the other takes the cell. The largest
 * count of an item's cells is its own. An item on the list is counted exactly from the moment that
 * it got there, which the original does not do.
 *
 * <p><b>Error.</b> As long as the distinct items fit into the memory of the cells, each is counted
 * by itself and exactly. From then on a count may be below the truth by what came before its item
 * got a cell, and is above it only where two items share 32 bits of their hashes and a cell.
 * <b>Memory.</b> 8 bytes for each cell, and for each place on the list {@value #PLACE_BYTES} bytes
 * and the item.
 */
public final class HeavyKeeper implements Structure {
  /** One place of the list. */
  @SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
  public record Listed(byte[] item, long count) {}

  /** What a place of the list takes beside its item. */
  public static final int PLACE_BYTES = 200;

  private static final byte VERSION = 1;
  private static final int HEAD = 1 + Secrets.BYTES + (5 * Long.BYTES) + (4 * Integer.BYTES);
  private static final int PAIR = 2 * Long.BYTES;
  private static final int EXACT_BYTES = 24;
  private static final int LEAST_EXACT = 16;
  private static final int MOST_EXACT = 1 << 16;
  private static final int FIXED_BYTES = 256;
  private static final int STEPS = 256;
  private static final long ROW = 0x9e3779b97f4a7c15L;
  private static final long MAX_CELLS = 1L << 30;
  private static final long MAX_STORED = 1L << 62;

  private final HashSecret secret;
  private final KeyHash hash;
  private final long k;
  private final long width;
  private final long depth;
  private final double decay;
  private @Nullable CountMap exact = new CountMap();
  private int[] prints = {};
  private int[] counts = {};
  private final Map<Long, Place> byHash = new HashMap<>();
  private final TreeSet<Place> list = new TreeSet<>(Place.LEAST_FIRST);
  private long itemBytes;
  private long turns;
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
   * Returns an empty list with a hash of its own.
   *
   * @param k the places of the list, at least 1
   * @param width cells in a row, at least 1
   * @param depth rows, at least 1; at most 2<sup>30</sup> cells in all
   * @param decay how much less probable a decay becomes with each count, above 0 and at most 1
   */
  public static HeavyKeeper create(long k, long width, long depth, double decay) {
    if (k < 1 || width < 1 || depth < 1 || width > MAX_CELLS / depth || !isDecay(decay)) {
      throw new IllegalArgumentException("shape out of range: " + k + ", " + width + ", " + depth);
    }
    return new HeavyKeeper(Secrets.random(), k, width, depth, decay);
  }

  /** Returns the bytes of an empty list of this shape, or the largest number if it cannot be. */
  public static long bytes(long k, long width, long depth) {
    return width > MAX_CELLS / depth || k > Integer.MAX_VALUE
        ? Long.MAX_VALUE
        : FIXED_BYTES + (2 * Integer.BYTES * width * depth) + (k * PLACE_BYTES);
  }

  /** Returns the list of a stored form, if so many bytes as it takes in the end may be taken. */
  public static HeavyKeeper read(byte[] form, LongPredicate mayTake)
      throws InvalidSnapshotException {
    ByteBuffer in = StoredBytes.open(form);
    require(in.remaining() >= HEAD && in.get() == VERSION, "is none of a list");
    HashSecret secret = Secrets.read(in);
    long k = Integer.toUnsignedLong(in.getInt());
    long width = in.getLong();
    long depth = in.getLong();
    double decay = in.getDouble();
    long turns = in.getLong();
    long random = in.getLong();
    int cells = in.getInt();
    int items = in.getInt();
    int places = in.getInt();
    require(width >= 1 && depth >= 1 && width <= MAX_CELLS / depth, "has impossible dimensions");
    require(k >= 1 && isDecay(decay), "is impossible");
    require(cells == 0 ? items >= 0 : cells == width * depth && items == 0, "is impossible");
    require(in.remaining() >= (2L * Integer.BYTES * cells) + ((long) PAIR * items), "ends early");
    require(places >= 0 && places <= k, "has too many places");
    require(mayTake.test(bytes(k, width, depth)), "needs too much memory");
    var read = new HeavyKeeper(secret, k, width, depth, decay);
    if (cells > 0) {
      read.exact = null;
      read.prints = new int[cells];
      read.counts = new int[cells];
      in.asIntBuffer().get(read.prints).get(read.counts);
      in.position(in.position() + (2 * Integer.BYTES * cells));
    }
    for (int i = 0; i < items; i++) {
      read.know(in.getLong(), in.getLong());
    }
    for (int i = 0; i < places; i++) {
      require(in.remaining() >= (2 * Long.BYTES) + Integer.BYTES, "ends too early");
      long count = in.getLong();
      long turn = in.getLong();
      int length = in.getInt();
      require(
          count > 0 && count <= MAX_STORED && turn >= 0 && turn < turns, "has an impossible place");
      require(length >= 0 && length <= in.remaining(), "has an impossible place");
      byte[] item = new byte[length];
      in.get(item);
      long hashed = read.hash(item);
      require(!read.byHash.containsKey(hashed), "has an item twice");
      read.enter(new Place(item, hashed, count, turn));
      require(read.list.size() == i + 1, "has two items in one place");
    }
    require(!in.hasRemaining(), "goes on too long");
    read.turns = turns;
    read.random = random;
    return read;
  }

  /** Returns the hash of an item, which other methods take. */
  public long hash(byte[] item) {
    return hash.hash(item);
  }

  /**
   * Adds an item so many times, and returns the one that left the list for it, or null.
   *
   * @param mayTake whether so many bytes more may be taken, asked before a new item is kept
   */
  public synchronized byte @Nullable [] add(byte[] item, long by, LongPredicate mayTake) {
    long hashed = hash(item);
    long estimate = raise(hashed, by);
    Place place = byHash.get(hashed);
    if (place != null) {
      list.remove(place);
      place.count = Math.max(estimate, place.count + by);
      place.turn = turns++;
      list.add(place);
      return null;
    }
    long count = list.size() < k ? Math.max(estimate, by) : estimate;
    if (count == 0 || (list.size() == k && count < list.first().count)) {
      return null;
    }
    if (!mayTake.test(item.length)) {
      return null;
    }
    Place expelled = list.size() < k ? null : list.pollFirst();
    if (expelled != null) {
      byHash.remove(expelled.hashed);
      itemBytes -= expelled.item.length;
    }
    enter(new Place(item, hashed, count, turns++));
    return expelled == null ? null : expelled.item;
  }

  /** Returns whether an item is on the list. */
  public synchronized boolean contains(long hashed) {
    return byHash.containsKey(hashed);
  }

  /** Returns about how often an item was added. */
  public synchronized long count(long hashed) {
    Place place = byHash.get(hashed);
    if (place != null) {
      return place.count;
    }
    if (exact != null) {
      return exact.get(hashed);
    }
    long most = 0;
    for (int row = 0; row < depth; row++) {
      int cell = cell(hashed, row);
      if (prints[cell] == (int) hashed) {
        most = Math.max(most, Integer.toUnsignedLong(counts[cell]));
      }
    }
    return most;
  }

  /** Returns the list, the largest count first; of equal ones that which waits longest. */
  public synchronized List<Listed> list() {
    var all = new ArrayList<>(list);
    all.sort(Place.MOST_FIRST);
    return all.stream().map(place -> new Listed(place.item, place.count)).toList();
  }

  /** Returns the places of the list. */
  public long k() {
    return k;
  }

  /** Returns the cells in a row. */
  public long width() {
    return width;
  }

  /** Returns the rows. */
  public long depth() {
    return depth;
  }

  /** Returns the decay. */
  public double decay() {
    return decay;
  }

  @Override
  public synchronized long bytes() {
    long cells = exact != null ? exact.bytes() : 2L * Integer.BYTES * prints.length;
    return FIXED_BYTES + cells + itemBytes + ((long) PLACE_BYTES * list.size());
  }

  @Override
  public synchronized byte[] toBytes() {
    long places = list.size() * ((2L * Long.BYTES) + Integer.BYTES) + itemBytes;
    long content = 2L * Integer.BYTES * prints.length;
    CountMap map = exact;
    int items = map == null ? 0 : map.size();
    ByteBuffer out = StoredBytes.allocate(HEAD + content + ((long) PAIR * items) + places);
    out.put(VERSION).put(secret.toBytes()).putInt((int) k).putLong(width).putLong(depth);
    out.putDouble(decay).putLong(turns).putLong(random);
    out.putInt(prints.length).putInt(items).putInt(list.size());
    out.asIntBuffer().put(prints).put(counts);
    out.position(out.position() + (int) content);
    if (map != null) {
      map.forEach((hashed, count) -> out.putLong(hashed).putLong(count));
    }
    for (Place place : list) {
      out.putLong(place.count).putLong(place.turn).putInt(place.item.length).put(place.item);
    }
    return StoredBytes.sealed(out);
  }

  @Override
  public synchronized HeavyKeeper copy() {
    var copy = new HeavyKeeper(secret, k, width, depth, decay);
    copy.exact = exact == null ? null : exact.copy();
    copy.prints = prints.clone();
    copy.counts = counts.clone();
    list.forEach(at -> copy.enter(new Place(at.item, at.hashed, at.count, at.turn)));
    copy.turns = turns;
    copy.random = random;
    return copy;
  }

  private void enter(Place place) {
    list.add(place);
    byHash.put(place.hashed, place);
    itemBytes += place.item.length;
  }

  private void know(long hashed, long count) throws InvalidSnapshotException {
    CountMap map = exact;
    require(
        map != null && map.get(hashed) == 0 && count > 0 && count <= MAX_STORED,
        "holds an impossible count");
    if (map != null) {
      map.set(hashed, count);
    }
  }

  /** Counts an item, and returns about how often it has come. */
  private long raise(long hashed, long by) {
    CountMap map = exact;
    if (map == null) {
      return raiseCells(hashed, by);
    }
    long sum = map.get(hashed) + by;
    if (sum == by && map.size() >= mostExact()) {
      spill(map);
      return raiseCells(hashed, by);
    }
    map.set(hashed, sum);
    return sum;
  }

  private long mostExact() {
    long fit = 2 * Integer.BYTES * width * depth / EXACT_BYTES;
    return Math.max(LEAST_EXACT, Math.min(MOST_EXACT, fit));
  }

  /** Puts what was counted item by item into cells, the largest counts first. */
  private void spill(CountMap map) {
    exact = null;
    prints = new int[(int) (width * depth)];
    counts = new int[prints.length];
    var items = new ArrayList<long[]>();
    map.forEach((hashed, count) -> items.add(new long[] {hashed, count}));
    items.sort(Comparator.comparingLong(item -> -item[1]));
    items.forEach(item -> raiseCells(item[0], item[1]));
  }

  private long raiseCells(long hashed, long by) {
    long most = 0;
    for (int row = 0; row < depth; row++) {
      int cell = cell(hashed, row);
      long left = by;
      if (prints[cell] != (int) hashed) {
        left = counts[cell] == 0 ? by : decayed(cell, by);
        if (counts[cell] == 0 && left > 0) {
          prints[cell] = (int) hashed;
        }
      }
      if (prints[cell] == (int) hashed) {
        long sum = Math.min(CountMin.MAX_COUNT, Integer.toUnsignedLong(counts[cell]) + left);
        counts[cell] = (int) sum;
        most = Math.max(most, sum);
      }
    }
    return most;
  }

  /** Lets another item's count decay so often, and returns how often it was nothing by then. */
  private long decayed(int cell, long by) {
    long count = Integer.toUnsignedLong(counts[cell]);
    long step = Math.max(1, by / STEPS);
    for (long left = by; left > 0; left -= step) {
      double expected = Math.min(step, left) * Math.pow(decay, (double) count);
      long whole = (long) expected;
      long taken = Math.min(count, whole + (chance() < expected - whole ? 1 : 0));
      count -= taken;
      if (count == 0) {
        counts[cell] = 0;
        return left - taken + 1;
      }
    }
    counts[cell] = (int) count;
    return 0;
  }

  private double chance() {
    random = Mix.of(random);
    return (random >>> 11) * 0x1p-53;
  }

  private int cell(long hashed, int row) {
    long mixed = Mix.of(hashed + (ROW * (row + 1)));
    return (int) (row * width + Math.multiplyHigh(mixed, width) + (mixed >> 63 & width));
  }

  private static boolean isDecay(double decay) {
    return decay > 0 && decay <= 1;
  }

  private static final class Place {
    static final Comparator<Place> LEAST_FIRST =
        Comparator.<Place>comparingLong(place -> place.count)
            .thenComparingLong(place -> place.turn);
    static final Comparator<Place> MOST_FIRST =
        Comparator.<Place>comparingLong(place -> -place.count)
            .thenComparingLong(place -> place.turn);

    final byte[] item;
    final long hashed;
    long turn;
    long count;

    Place(byte[] item, long hashed, long count, long turn) {
      this.item = item;
      this.hashed = hashed;
      this.count = count;
      this.turn = turn;
    }
  }
}
