package io.heatshield.structure;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.snapshot.InvalidSnapshotException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A cuckoo filter that grows by further tables, from which every item can be deleted, however often
 * it was added.
 *
 * <p><b>No false absent.</b> An item that was added more often than deleted is found, also while
 * the filter grows or is compacted. Deleting an item that was never added may take away one that
 * looks the same.
 *
 * <p><b>False positives.</b> A table has fingerprints of 16 bits in buckets of four and is filled
 * to at most 95 %: an absent item looks present with a probability of at most 1.2e-4 for each
 * table.
 *
 * <p><b>Memory.</b> 2.11 bytes for each item of the capacity; a table that is added takes the same
 * for as many items as the one before, times the expansion. An item that is in more than eight
 * times takes a place in a map of counts instead, so that repetition does not make the filter grow.
 */
public final class LayeredCuckoo implements Structure {
  /*
   * Tables are nested (see CuckooLayer): what looks the same in a newer, larger table looks the same in every older one.
   * So a deletion that begins with the newest table may erase the fingerprint of another item only where both are
   * interchangeable in all older tables too, and the other one is found there. Pinned by LayeredCuckooPropertyTest.
   * Counts beyond the tables are kept by what distinguishes items in the oldest table, the coarsest of all, and are
   * taken last.
   */

  /** What came of adding an item. */
  public enum Added {
    /** It is in, once more. */
    ADDED,
    /** It, or one that looks the same, was in. */
    PRESENT,
    /** There is no room, and the filter may not grow. */
    FULL,
    /** There is no room, and the filter has grown as often as it may. */
    TOO_MANY,
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

  /** The most tables. */
  public static final int MAX_LAYERS = 31;

  /** The most items that a filter is made for. */
  public static final long MAX_CAPACITY = 1L << 30;

  static final int MAX_COPIES = 2 * CuckooLayer.SLOTS;
  private static final int LEAST_MOVES = 500;
  private static final int FIXED_BYTES = 256;

  final CuckooShape shape;
  final HashSecret secret;
  private final KeyHash hash;
  final List<CuckooLayer> layers = new ArrayList<>();
  final CountMap repeated = new CountMap();
  long beyond;
  long deleted;
  @Nullable CuckooLoad loading;
  private long random = 1;

  LayeredCuckoo(CuckooShape shape, HashSecret secret) {
    this.shape = shape;
    this.secret = secret;
    this.hash = KeyHash.fast(secret);
  }

  /** Returns an empty filter with a hash of its own. */
  public static LayeredCuckoo create(CuckooShape shape) {
    var filter = new LayeredCuckoo(shape, Secrets.random());
    filter.layers.add(shape.layer(0));
    return filter;
  }

  /** Returns the filter of a stored form. */
  public static LayeredCuckoo read(byte[] form) throws InvalidSnapshotException {
    return CuckooDump.read(form);
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
    random = Mix.of(random);
    for (int i = layers.size() - 1; i >= 0; i--) {
      if (put(layers.get(i), hashed)) {
        return Added.ADDED;
      }
    }
    if (shape.expansion() == 0) {
      return Added.FULL;
    }
    if (layers.size() == MAX_LAYERS) {
      return Added.TOO_MANY;
    }
    long more = shape.layerBytes(layers.size());
    if (more < 0 || !mayTake.test(more)) {
      return Added.NO_MEMORY;
    }
    layers.add(shape.layer(layers.size()));
    return put(layers.get(layers.size() - 1), hashed) ? Added.ADDED : Added.FULL;
  }

  /** Deletes an item once, and returns whether it was there. */
  public synchronized boolean delete(long hashed) {
    long fingerprint = CuckooLayer.fingerprint(hashed);
    for (int i = layers.size() - 1; i >= 0; i--) {
      CuckooLayer layer = layers.get(i);
      if (layer.remove(layer.bucket(hashed), fingerprint)) {
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
      for (int bucket = 0; bucket < from.buckets() && from.count > 0; bucket++) {
        for (int slot = 0; slot < CuckooLayer.SLOTS; slot++) {
          long fingerprint = from.get(bucket, slot);
          if (fingerprint != 0 && putOlder(i, from, bucket, fingerprint)) {
            from.set(bucket, slot, 0);
            from.count--;
          }
        }
      }
      if (from.count == 0 && i == layers.size() - 1) {
        layers.remove(i);
      }
    }
    deleted = 0;
  }

  /** Returns how many items are in. */
  public synchronized long size() {
    return layers.stream().mapToLong(layer -> layer.count).sum() + beyond;
  }

  /** Returns how many were deleted since the filter was made or compacted. */
  public synchronized long deleted() {
    return deleted;
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
    var copy = new LayeredCuckoo(shape, secret);
    layers.forEach(layer -> copy.layers.add(layer.copy()));
    repeated.forEach(copy.repeated::set);
    copy.beyond = beyond;
    copy.deleted = deleted;
    copy.loading = loading == null ? null : loading.copy();
    copy.random = random;
    return copy;
  }

  private long copies(long hashed) {
    long fingerprint = CuckooLayer.fingerprint(hashed);
    long copies = 0;
    for (CuckooLayer layer : layers) {
      copies += layer.copies(layer.bucket(hashed), fingerprint);
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

  private boolean put(CuckooLayer layer, long hashed) {
    int moves = Math.max(LEAST_MOVES, shape.maxIterations());
    return layer.put(layer.bucket(hashed), CuckooLayer.fingerprint(hashed), moves, random);
  }

  private boolean putOlder(int place, CuckooLayer from, int bucket, long fingerprint) {
    for (int i = 0; i < place; i++) {
      CuckooLayer to = layers.get(i);
      random = Mix.of(random);
      if (to.put(bucket >>> (from.shift() - to.shift()), fingerprint, LEAST_MOVES, random)) {
        return true;
      }
    }
    return false;
  }

  /** Returns what distinguishes an item in the oldest table. */
  private long identity(long hashed) {
    CuckooLayer oldest = layers.get(0);
    long fingerprint = CuckooLayer.fingerprint(hashed);
    int bucket = oldest.bucket(hashed);
    return (long) Math.min(bucket, oldest.other(bucket, fingerprint)) << 16 | fingerprint;
  }
}
