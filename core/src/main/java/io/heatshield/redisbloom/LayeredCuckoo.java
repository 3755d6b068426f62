package io.heatshield.redisbloom;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.snapshot.InvalidSnapshotException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A cuckoo filter that grows, from which every item can be deleted, however often it was added.
 *
 * <p><b>No false absent.</b> An item that was added more often than deleted is found, also while
 * the filter grows or is compacted. Deleting an item that was never added may take away one that
 * looks the same.
 *
 * <p><b>False positives.</b> An absent item looks present with a probability of at most 1.2e-4,
 * however far the filter has grown.
 *
 * <p><b>Memory.</b> 2.11 bytes for each item of the capacity if the filter may not grow; otherwise
 * 2.24 from 2^20 items on, and an eighth of a byte more for each time that the capacity is halved,
 * up to 4.2. What is added past 2^20 items takes an eighth more with each table. An item that is in
 * more than eight times takes a place in a map of counts instead, so that repetition does not make
 * the filter grow.
 *
 * <p><b>Time.</b> A lookup reads two buckets of each table: one table up to 2^20 items or the
 * capacity, and one more for each doubling beyond, eleven at 2^30 items. Growth of one table copies
 * it once, at most 2^19 items.
 */
public final class LayeredCuckoo implements Structure {
  /*
   * The first table begins with spare bits of position and gives one up at each doubling (see CuckooLayer), until one is
   * left: 17 bits tell items apart. Then tables are added, each of twice the one before and of a bit more: 18, 19, ...
   * Rates of false positives are 8 * 0.95 / 2^bits, so that their sum stays below that of one table with 16 bits.
   *
   * Tables are nested: what looks the same in a newer table looks the same in every older one. So a deletion that begins
   * with the newest table may erase the fingerprint of another item only where both are interchangeable in all older
   * tables too, and the other one is found there. Pinned by LayeredCuckooPropertyTest. Counts beyond the tables are kept
   * by what distinguishes items in the oldest table, the coarsest of all, which doubling does not change, and are taken
   * last.
   *
   * A filter that has no room for an item while it is not a quarter full does not grow: honest hashes do not do this, and
   * items chosen by who knows the key of a dump shall not double it again and again.
   */

  /** What came of adding an item. */
  public enum Added {
    /** It is in, once more. */
    ADDED,
    /** It, or one that looks the same, was in. */
    PRESENT,
    /** There is no room, and the filter may not grow. */
    FULL,
    /** There is no memory to grow. */
    NO_MEMORY
  }

  /**
   * A piece of a dump.
   *
   * @param chunk the piece itself
   * @param next where the next one begins
   */
  @SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
  public record Piece(byte[] chunk, long next) {}

  /** The most items that a filter is made for. */
  public static final long MAX_CAPACITY = 1L << 30;

  static final int MAX_LAYERS = SpareBits.MOST;
  static final int MAX_COPIES = 2 * CuckooLayer.SLOTS;
  private static final int LEAST_MOVES = 500;
  private static final int FIXED_BYTES = 256;

  final CuckooShape shape;
  final HashSecret secret;
  final int depth;
  private final KeyHash hash;
  final List<CuckooLayer> layers = new ArrayList<>();
  final CountMap repeated = new CountMap();
  long beyond;
  long deleted;
  @Nullable CuckooLoad loading;
  private long random = 1;

  /** Makes a filter without tables, the first of which has so many bits for shift and spare. */
  LayeredCuckoo(CuckooShape shape, HashSecret secret, int depth) {
    this.shape = shape;
    this.secret = secret;
    this.depth = depth;
    this.hash = KeyHash.fast(secret);
  }

  /** Returns an empty filter with a hash of its own. */
  public static LayeredCuckoo create(CuckooShape shape) {
    return create(shape, shape.spare());
  }

  static LayeredCuckoo create(CuckooShape shape, int spare) {
    var filter = new LayeredCuckoo(shape, Secrets.random(), spare);
    filter.layers.add(shape.layer(0, spare));
    return filter;
  }

  /**
   * Returns the filter of a stored form.
   *
   * @param mayTake whether so many bytes may be taken; asked before anything is allocated
   */
  public static LayeredCuckoo read(byte[] form, LongPredicate mayTake)
      throws InvalidSnapshotException {
    return CuckooDump.read(form, mayTake);
  }

  /**
   * Returns an empty filter that waits for the chunks of a dump.
   *
   * @param mayTake whether so many bytes may be taken; asked before anything is allocated
   */
  public static LayeredCuckoo fromHeader(byte[] header, LongPredicate mayTake)
      throws InvalidSnapshotException {
    return CuckooDump.fromHeader(header, mayTake);
  }

  /** Returns what the filter was made with. */
  public CuckooShape shape() {
    return shape;
  }

  /** Returns the hash of an item, which all other methods take. */
  public long hash(byte[] item) {
    return hash.hash(item);
  }

  /** Returns false if the item is definitely absent. */
  public synchronized boolean contains(long hashed) {
    return count(hashed) > 0;
  }

  /** Returns how often the item is in; never fewer times than it is. */
  public synchronized long count(long hashed) {
    return copies(hashed) + (repeated.size() == 0 ? 0 : repeated.get(identity(hashed)));
  }

  /**
   * Adds an item.
   *
   * @param onlyIfAbsent whether to leave it at that if it, or one that looks the same, is in
   * @param mayTake whether so many bytes more may be taken, asked before the filter grows
   */
  public synchronized Added add(long hashed, boolean onlyIfAbsent, LongPredicate mayTake) {
    long copies = copies(hashed);
    if (onlyIfAbsent && count(hashed) > 0) {
      return Added.PRESENT;
    }
    if (copies >= MAX_COPIES) {
      return repeat(hashed);
    }
    if (put(hashed)) {
      return Added.ADDED;
    }
    if (copies >= CuckooLayer.SLOTS) {
      return repeat(hashed);
    }
    if (shape.expansion() == 0 || 4 * inTables() < capacity()) {
      return Added.FULL;
    }
    if (!grow(mayTake)) {
      return Added.NO_MEMORY;
    }
    return put(hashed) ? Added.ADDED : Added.FULL;
  }

  /** Deletes an item once, and returns whether it was there. */
  public synchronized boolean delete(long hashed) {
    long fingerprint = CuckooLayer.fingerprint(hashed);
    for (int i = layers.size() - 1; i >= 0; i--) {
      CuckooLayer layer = layers.get(i);
      if (layer.remove(layer.position(hashed), fingerprint)) {
        deleted++;
        return true;
      }
    }
    long identity = identity(hashed);
    long more = repeated.get(identity);
    if (more == 0) {
      return false;
    }
    repeated.set(identity, more - 1);
    beyond--;
    deleted++;
    return true;
  }

  /** Moves items into older tables that have room, and drops the newest ones that become empty. */
  public synchronized void compact() {
    for (int i = layers.size() - 1; i > 0; i--) {
      CuckooLayer from = layers.get(i);
      for (int older = 0; older < i; older++) {
        random = Mix.of(random);
        from.moveTo(layers.get(older), LEAST_MOVES, random);
      }
      if (from.count == 0 && i == layers.size() - 1) {
        layers.remove(i);
      }
    }
    deleted = 0;
  }

  /** Returns how many items are in. */
  public synchronized long size() {
    return inTables() + beyond;
  }

  /** Returns how many were deleted since the filter was made or compacted. */
  public synchronized long deleted() {
    return deleted;
  }

  /** Returns how many items the tables are made for. */
  public synchronized long capacity() {
    return layers.stream().mapToLong(layer -> layer.limit).sum();
  }

  /** Returns how many tables there are. */
  public synchronized int layers() {
    return layers.size();
  }

  /** Returns whether the filter still waits for chunks of its dump. */
  public synchronized boolean isLoading() {
    return loading != null;
  }

  @Override
  public synchronized long bytes() {
    return FIXED_BYTES + repeated.bytes() + layers.stream().mapToLong(CuckooLayer::bytes).sum();
  }

  /** Returns what a dump begins with. */
  public synchronized byte[] header() {
    return CuckooDump.header(this);
  }

  /**
   * Returns a chunk of the dump from a place on, of at most so many bytes, or null past the end.
   */
  public synchronized @Nullable Piece piece(long from, int most) {
    byte[] chunk = CuckooDump.chunk(this, from, most);
    return chunk == null
        ? null
        : new Piece(chunk, from + chunk.length - CuckooDump.CHUNK_HEAD - StoredBytes.SEAL);
  }

  /**
   * Takes the next chunk of a dump; a chunk that was taken before is taken again without effect.
   *
   * @param next where the chunk after it begins
   */
  public synchronized void load(byte[] chunk, long next) throws InvalidSnapshotException {
    CuckooDump.load(this, chunk, next);
  }

  @Override
  public synchronized byte[] toBytes() {
    return CuckooDump.form(this);
  }

  @Override
  public synchronized LayeredCuckoo copy() {
    var copy = new LayeredCuckoo(shape, secret, depth);
    layers.forEach(layer -> copy.layers.add(layer.copy()));
    repeated.forEach(copy.repeated::set);
    copy.beyond = beyond;
    copy.deleted = deleted;
    copy.loading = loading == null ? null : loading.copy();
    copy.random = random;
    return copy;
  }

  /** Returns how often the first table was doubled. */
  int doublings() {
    return layers.get(0).shift();
  }

  /** Returns how many spare bits a table has. */
  static int spare(int depth, int doublings, int place) {
    return place == 0 ? depth - doublings : 1 + place;
  }

  private long copies(long hashed) {
    long fingerprint = CuckooLayer.fingerprint(hashed);
    long copies = 0;
    for (CuckooLayer layer : layers) {
      copies += layer.copies(layer.position(hashed), fingerprint);
    }
    return copies;
  }

  private Added repeat(long hashed) {
    long identity = identity(hashed);
    long before = repeated.get(identity);
    if (before == 0 && repeated.size() >= shape.mostRepeated()) {
      return Added.FULL;
    }
    repeated.set(identity, before + 1);
    beyond++;
    return Added.ADDED;
  }

  /** Doubles the first table while it has bits to spare, and then adds one. */
  private boolean grow(LongPredicate mayTake) {
    boolean doubles = doublings() < depth - 1;
    int doublings = doublings() + (doubles ? 1 : 0);
    int place = doubles ? 0 : layers.size();
    int spare = spare(depth, doublings, place);
    long bytes = place == MAX_LAYERS ? -1 : shape.layerBytes(doublings + place, spare);
    if (bytes < 0 || !mayTake.test(bytes)) {
      return false;
    }
    if (doubles) {
      layers.set(0, layers.get(0).doubled());
    } else {
      layers.add(shape.layer(doublings + place, spare));
    }
    return true;
  }

  private long inTables() {
    return layers.stream().mapToLong(layer -> layer.count).sum();
  }

  private boolean put(long hashed) {
    int moves = Math.max(LEAST_MOVES, shape.maxIterations());
    long fingerprint = CuckooLayer.fingerprint(hashed);
    random = Mix.of(random);
    for (int i = layers.size() - 1; i >= 0; i--) {
      CuckooLayer layer = layers.get(i);
      if (layer.put(layer.position(hashed), fingerprint, moves, random)) {
        return true;
      }
    }
    return false;
  }

  /** Returns what distinguishes an item in the oldest table. */
  private long identity(long hashed) {
    CuckooLayer oldest = layers.get(0);
    long fingerprint = CuckooLayer.fingerprint(hashed);
    long position = oldest.position(hashed);
    return Math.min(position, oldest.other(position, fingerprint)) << 16 | fingerprint;
  }
}
