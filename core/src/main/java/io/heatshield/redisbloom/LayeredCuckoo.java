package io.heatshield.redisbloom;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.snapshot.InvalidSnapshotException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A growing cuckoo filter that supports any number of copies of an item and their deletion.
 *
 * <p><b>No false negatives.</b> An item that was added more often than deleted is found, also while
 * the filter grows or is compacted. Deleting an item that was never added may delete another item
 * that looks the same.
 *
 * <p><b>False positives.</b> An absent item looks present with a probability of at most 1.2e-4,
 * regardless of growth.
 *
 * <p><b>Memory.</b> 2.11 bytes per item of the capacity if the filter must not grow; otherwise 2.24
 * from 2^20 items on, and an eighth of a byte more each time the capacity is halved, up to 4.2.
 * Beyond 2^20 items, each further table takes an eighth more. An item with more than eight copies
 * is counted in a map instead, so that repetition does not make the filter grow.
 *
 * <p><b>Time.</b> A lookup reads two buckets of each table: one table up to 2^20 items or the
 * capacity, and one more for each doubling beyond, eleven at 2^30 items. Growing the first table
 * copies it once, at most 2^19 items.
 */
public final class LayeredCuckoo implements Structure {
  /*
   * The first table starts with spare position bits and uses one up at each doubling (see
   * CuckooLayer) until one is left, so that 17 bits distinguish items. Then tables are added, each
   * twice as large as the previous one and with one bit more: 18, 19, ... False positive rates are
   * 8 * 0.95 / 2^bits, so their sum stays below that of one table with 16 bits.
   *
   * Tables are nested: items that look the same in a newer table look the same in every older one.
   * So a deletion that starts with the newest table may erase the fingerprint of another item only
   * if both are interchangeable in all older tables too, and the other one is found there. Pinned
   * by LayeredCuckooPropertyTest. Counts in the map are keyed by what distinguishes items in the
   * oldest table, the coarsest of all, which doubling does not change, and are decremented last.
   *
   * A filter that has no room for an item although it is less than a quarter full does not grow.
   * Random hashes do not cause this; a client that knows the key of a dump could otherwise make the
   * filter double again and again.
   */

  /** The result of adding an item. */
  public enum Added {
    /** One more copy was added. */
    ADDED,
    /** The item, or one that looks the same, was present. */
    PRESENT,
    /** There is no room, and the filter must not grow. */
    FULL,
    /** There is not enough memory to grow. */
    NO_MEMORY
  }

  /**
   * A chunk of a dump.
   *
   * @param chunk the bytes
   * @param next the position of the next chunk
   */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  public record Piece(byte[] chunk, long next) {}

  /** The maximum capacity of a filter. */
  public static final long MAX_CAPACITY = 1L << 30;

  static final int MAX_LAYERS = CuckooLayer.MAX_SPARE;
  static final int MAX_COPIES = 2 * CuckooLayer.SLOTS;
  private static final int MIN_MOVES = 500;
  private static final int FIXED_BYTES = 256;

  final CuckooShape shape;
  final HashSecret secret;
  final int depth;
  private final KeyHash hash;
  final List<CuckooLayer> layers = new ArrayList<>();

  /** Copies of items that do not fit into the two buckets of an item, by identity. */
  CountMap repeated = new CountMap();

  /** The sum of the counts in the map. */
  long extraCopies;

  long deleted;
  @Nullable CuckooLoad loading;
  private long random = 1;

  /** Creates a filter without tables; the first will have {@code depth} bits below its base. */
  LayeredCuckoo(CuckooShape shape, HashSecret secret, int depth) {
    this.shape = shape;
    this.secret = secret;
    this.depth = depth;
    this.hash = KeyHash.fast(secret);
  }

  /** Returns an empty filter with its own hash secret. */
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
   * @param mayUse returns whether the given bytes may be used; called before any allocation
   */
  public static LayeredCuckoo read(byte[] form, LongPredicate mayUse)
      throws InvalidSnapshotException {
    return CuckooDump.read(form, mayUse);
  }

  /**
   * Returns an empty filter that expects the chunks of a dump.
   *
   * @param mayUse returns whether the given bytes may be used; called before any allocation
   */
  public static LayeredCuckoo fromHeader(byte[] header, LongPredicate mayUse)
      throws InvalidSnapshotException {
    return CuckooDump.fromHeader(header, mayUse);
  }

  /** Returns the settings of the filter. */
  public CuckooShape shape() {
    return shape;
  }

  /** Returns the hash of an item, which all other methods accept. */
  public long hash(byte[] item) {
    return hash.hash(item);
  }

  /** Returns false if the item is definitely absent. */
  public synchronized boolean contains(long hashed) {
    return count(hashed) > 0;
  }

  /** Returns the number of copies of an item; never less than the true number. */
  public synchronized long count(long hashed) {
    return copies(hashed) + (repeated.size() == 0 ? 0 : repeated.get(identity(hashed)));
  }

  /**
   * Adds an item.
   *
   * @param onlyIfAbsent whether to do nothing if the item, or one that looks the same, is present
   * @param mayUse returns whether the given further bytes may be used; called before growing
   */
  public synchronized Added add(long hashed, boolean onlyIfAbsent, LongPredicate mayUse) {
    long copies = copies(hashed);
    if (onlyIfAbsent && count(hashed) > 0) {
      return Added.PRESENT;
    }
    if (copies >= MAX_COPIES) {
      return addExtraCopy(hashed);
    }
    if (put(hashed)) {
      return Added.ADDED;
    }
    if (copies >= CuckooLayer.SLOTS) {
      return addExtraCopy(hashed);
    }
    if (shape.expansion() == 0 || 4 * sizeOfTables() < capacity()) {
      return Added.FULL;
    }
    if (!grow(mayUse)) {
      return Added.NO_MEMORY;
    }
    return put(hashed) ? Added.ADDED : Added.FULL;
  }

  /** Deletes one copy of an item, and returns whether it was present. */
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
    extraCopies--;
    deleted++;
    return true;
  }

  /** Moves items to older tables with room, and drops the newest tables that become empty. */
  public synchronized void compact() {
    for (int i = layers.size() - 1; i > 0; i--) {
      CuckooLayer from = layers.get(i);
      for (int older = 0; older < i; older++) {
        random = Mix.of(random);
        from.moveTo(layers.get(older), MIN_MOVES, random);
      }
      if (from.count == 0 && i == layers.size() - 1) {
        layers.remove(i);
      }
    }
    deleted = 0;
  }

  /** Returns the number of items, including copies. */
  public synchronized long size() {
    return sizeOfTables() + extraCopies;
  }

  /** Returns the deletions since the filter was created or compacted. */
  public synchronized long deleted() {
    return deleted;
  }

  /** Returns the capacity of all tables. */
  public synchronized long capacity() {
    return layers.stream().mapToLong(layer -> layer.limit).sum();
  }

  /** Returns the number of tables. */
  public synchronized int layers() {
    return layers.size();
  }

  /** Returns whether the filter still expects chunks of its dump. */
  public synchronized boolean isLoading() {
    return loading != null;
  }

  @Override
  public synchronized long bytes() {
    return FIXED_BYTES + repeated.bytes() + layers.stream().mapToLong(CuckooLayer::bytes).sum();
  }

  /** Returns the header of a dump. */
  public synchronized byte[] header() {
    return CuckooDump.header(this);
  }

  /** Returns the chunk of the dump at a position, of at most {@code maxBytes} bytes, or null. */
  public synchronized @Nullable Piece piece(long from, int maxBytes) {
    byte[] chunk = CuckooDump.chunk(this, from, maxBytes);
    return chunk == null
        ? null
        : new Piece(chunk, from + chunk.length - CuckooDump.CHUNK_HEADER_BYTES - StoredBytes.SEAL);
  }

  /**
   * Loads the next chunk of a dump; loading a chunk again has no effect.
   *
   * @param next the position of the following chunk
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
    copy.repeated = repeated.copy();
    copy.extraCopies = extraCopies;
    copy.deleted = deleted;
    copy.loading = loading == null ? null : loading.copy();
    copy.random = random;
    return copy;
  }

  /** Returns the number of times the first table was doubled. */
  int doublings() {
    return layers.get(0).shift();
  }

  /** Returns the spare bits of the table with the given index, oldest first. */
  static int spare(int depth, int doublings, int index) {
    return index == 0 ? depth - doublings : 1 + index;
  }

  private long copies(long hashed) {
    long fingerprint = CuckooLayer.fingerprint(hashed);
    long copies = 0;
    for (CuckooLayer layer : layers) {
      copies += layer.copies(layer.position(hashed), fingerprint);
    }
    return copies;
  }

  private Added addExtraCopy(long hashed) {
    long identity = identity(hashed);
    long before = repeated.get(identity);
    if (before == 0 && repeated.size() >= shape.maxRepeatedItems()) {
      return Added.FULL;
    }
    repeated.set(identity, before + 1);
    extraCopies++;
    return Added.ADDED;
  }

  /** Doubles the first table while it has spare bits; otherwise adds a table. */
  private boolean grow(LongPredicate mayUse) {
    boolean doubles = doublings() < depth - 1;
    int doublings = doublings() + (doubles ? 1 : 0);
    int index = doubles ? 0 : layers.size();
    int spare = spare(depth, doublings, index);
    long bytes = index == MAX_LAYERS ? -1 : shape.layerBytes(doublings + index, spare);
    if (bytes < 0 || !mayUse.test(bytes)) {
      return false;
    }
    if (doubles) {
      layers.set(0, layers.get(0).doubled());
    } else {
      layers.add(shape.layer(doublings + index, spare));
    }
    return true;
  }

  private long sizeOfTables() {
    return layers.stream().mapToLong(layer -> layer.count).sum();
  }

  private boolean put(long hashed) {
    int moves = Math.max(MIN_MOVES, shape.maxIterations());
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

  /** Returns a number that is equal for two items if the oldest table cannot distinguish them. */
  private long identity(long hashed) {
    CuckooLayer oldest = layers.get(0);
    long fingerprint = CuckooLayer.fingerprint(hashed);
    long position = oldest.position(hashed);
    return Math.min(position, oldest.other(position, fingerprint)) << 16 | fingerprint;
  }
}
