package io.heatshield.filter;

import io.heatshield.hash.KeyHash;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * A probabilistic set of keys that stores a few bits per key and supports removal. A lookup returns
 * "definitely absent" or "probably present".
 *
 * <pre>{@code
 * CuckooFilter filter = CuckooFilter.builder().expectedItems(1_000_000).build();
 *
 * AddResult added = filter.add(key, () -> map.containsKey(key)); // before the owner's write
 * map.put(key, value);
 * if (filter.mightContain(key)) {
 *   value = map.get(key);
 * }
 * filter.remove(key, () -> map.remove(key) != null);
 * }</pre>
 *
 * <p><b>No false negatives.</b> A key whose addition was {@linkplain AddResult#accepted accepted}
 * and that has not been removed is found at every moment by every thread: at full load, while its
 * fingerprint is moved, during growth, shrinking and rebuilding, and after restoring. Only an owner
 * or a {@link KeySource} that violates its contract, and a hash in a {@linkplain #hashed view} that
 * was not computed by its function, void this guarantee.
 *
 * <p><b>Owner.</b> The owner of the filter is what stores the keys: a map, a table, a store. It
 * adds a key to the filter before it stores the key, and {@link #remove(byte[], BooleanSupplier)}
 * makes it remove the key before the filter does. So at every moment the filter has all keys of the
 * owner. A key that could not be added ({@link AddResult#FULL}) must not be stored, or lookups of
 * it must not be answered by the filter. The calls for one key, each together with the owner's own
 * write, must not overlap: hold a lock per key, or call the filter within {@code map.compute}.
 * Calls for different keys may.
 *
 * <p><b>False positives.</b> An absent key looks present with a probability of at most <i>2 b a /
 * (2<sup>f</sup> - 1)</i> for <i>f</i> bits per fingerprint, <i>b</i> slots per bucket and a load
 * <i>a</i>, over the random choice of the hash secret. The rate of a chain is the sum over its
 * sub-filters. By default <i>f</i> is the smallest number that reaches the target at a load of 95
 * %, or half the target with {@link Growth#CHAIN}: for 0.1 % and buckets of 4 these are 13 and 14
 * bits. A client that does not know the secret cannot choose keys with a higher rate. A client that
 * sees the results of lookups can collect false positives, but cannot produce more of them.
 *
 * <p><b>Memory.</b> <i>f / 0.95</i> bits per key for buckets of 4 and more (13.7 or 14.7 for 0.1
 * %), in any even number of buckets, plus at most 4.2 KB of locks, 2 KB of offsets and versions (32
 * KB for buckets of 1 or 2) and 48 bytes per permitted eviction. {@link #bytes} includes all of
 * this, except object headers. Lookups, additions and removals allocate nothing unless the filter
 * grows. Shrinking temporarily needs memory for the smaller copy in addition to the original.
 *
 * <p><b>Full filters.</b> At its {@link #capacity} the filter grows or refuses additions, see
 * {@link Growth}. Below the capacity it refuses an addition if no eviction chain within the search
 * limit leads to an empty slot, and a chain then grows; with buckets of 4, at least 8 bits and 500
 * evictions this has never been observed. A refused addition changes nothing.
 *
 * <p><b>Concurrency.</b> Any thread may call any method. Lookups take no lock and are not blocked
 * by writers; they repeat their search only if a similar fingerprint was moved or removed
 * meanwhile. Additions and removals lock the regions of two buckets; only one addition at a time
 * moves other fingerprints. Each of {@code mightContain}, {@code add(key)}, {@code count} and the
 * removal after the owner's is atomic in a filter of one table. Owners are called without any lock.
 * Clearing, writing, shrinking and the end of a rebuild block writers, not readers.
 */
public final class CuckooFilter {
  private final KeyHash hash;
  private final TableChain chain;
  private final HashedCuckooFilter hashed;

  CuckooFilter(KeyHash hash, TableChain chain) {
    this.hash = hash;
    this.chain = chain;
    this.hashed = new HashedCuckooFilter(this, chain);
  }

  /** Returns a builder. */
  public static CuckooFilterBuilder builder() {
    return new CuckooFilterBuilder();
  }

  /** Returns false if the key is definitely absent. */
  public boolean mightContain(byte[] key) {
    return hashed.mightContain(hash.hash(key));
  }

  /** Returns false if the key in a buffer's remaining bytes is definitely absent. */
  public boolean mightContain(ByteBuffer key) {
    return hashed.mightContain(hash.hash(key));
  }

  /** Returns false if the key, a text's UTF-8, is definitely absent. */
  public boolean mightContain(CharSequence key) {
    return hashed.mightContain(hash.hash(key));
  }

  /** Returns false if the key, a number's decimal digits, is definitely absent. */
  public boolean mightContain(long key) {
    return hashed.mightContain(hash.hash(key));
  }

  /**
   * Adds the key unless the owner had it before. Call it before the owner stores the key.
   *
   * <p>The owner is asked only if the key looks present, which is rare for a new key. The filter
   * holds exactly one copy of a key that is only added by this method and removed by {@link
   * #remove(byte[], BooleanSupplier)}; the limit of copies does not apply. In a chain, where a
   * removal may return {@link RemoveResult#KEPT}, this method returns {@link AddResult#AT_LIMIT} if
   * copies that look like the key fill both its buckets.
   *
   * <p>If the owner then fails to store a key that was {@link AddResult#ADDED}, the key is a false
   * positive until it is stored and removed.
   *
   * @param ownerHadKey returns whether the owner had the key before; called without any lock
   */
  @CheckReturnValue
  public AddResult add(byte[] key, BooleanSupplier ownerHadKey) {
    return hashed.add(hash.hash(key), ownerHadKey);
  }

  /** Adds the key unless the owner had it before; see {@link #add(byte[], BooleanSupplier)}. */
  @CheckReturnValue
  public AddResult add(ByteBuffer key, BooleanSupplier ownerHadKey) {
    return hashed.add(hash.hash(key), ownerHadKey);
  }

  /** Adds the key unless the owner had it before; see {@link #add(byte[], BooleanSupplier)}. */
  @CheckReturnValue
  public AddResult add(CharSequence key, BooleanSupplier ownerHadKey) {
    return hashed.add(hash.hash(key), ownerHadKey);
  }

  /** Adds the key unless the owner had it before; see {@link #add(byte[], BooleanSupplier)}. */
  @CheckReturnValue
  public AddResult add(long key, BooleanSupplier ownerHadKey) {
    return hashed.add(hash.hash(key), ownerHadKey);
  }

  /**
   * Removes the key, first from its owner and then from the filter, so that a reader never sees the
   * filter without a key that the owner still has. If the owner did not have the key, or throws,
   * the filter does not change.
   *
   * @param removedByOwner removes the key from its owner, and returns whether the owner had it;
   *     always called, once and without any lock
   */
  public RemoveResult remove(byte[] key, BooleanSupplier removedByOwner) {
    return hashed.remove(hash.hash(key), removedByOwner);
  }

  /**
   * Removes the key from its owner and the filter; see {@link #remove(byte[], BooleanSupplier)}.
   */
  public RemoveResult remove(ByteBuffer key, BooleanSupplier removedByOwner) {
    return hashed.remove(hash.hash(key), removedByOwner);
  }

  /**
   * Removes the key from its owner and the filter; see {@link #remove(byte[], BooleanSupplier)}.
   */
  public RemoveResult remove(CharSequence key, BooleanSupplier removedByOwner) {
    return hashed.remove(hash.hash(key), removedByOwner);
  }

  /**
   * Removes the key from its owner and the filter; see {@link #remove(byte[], BooleanSupplier)}.
   */
  public RemoveResult remove(long key, BooleanSupplier removedByOwner) {
    return hashed.remove(hash.hash(key), removedByOwner);
  }

  /**
   * Adds the key, or another copy if it is present.
   *
   * <p>This is for keys that their owner knows to be new, and for sets from which no key is
   * removed. Copies are limited, so that a key that is added again and again does not fill its two
   * buckets: at the limit, which is the bucket size by default, this method returns {@link
   * AddResult#AT_LIMIT}. Other keys with the same fingerprint in the same buckets count towards the
   * limit. See {@link CuckooFilterBuilder#maxCopies}.
   */
  @CheckReturnValue
  public AddResult add(byte[] key) {
    return hashed.add(hash.hash(key));
  }

  /** Adds the key, or another copy if it is present; see {@link #add(byte[])}. */
  @CheckReturnValue
  public AddResult add(ByteBuffer key) {
    return hashed.add(hash.hash(key));
  }

  /** Adds the key, or another copy if it is present; see {@link #add(byte[])}. */
  @CheckReturnValue
  public AddResult add(CharSequence key) {
    return hashed.add(hash.hash(key));
  }

  /** Adds the key, or another copy if it is present; see {@link #add(byte[])}. */
  @CheckReturnValue
  public AddResult add(long key) {
    return hashed.add(hash.hash(key));
  }

  /** Returns the number of copies of the key, or more; never less. */
  public int count(byte[] key) {
    return hashed.count(hash.hash(key));
  }

  /** Returns the number of copies of the key, or more; never less. */
  public int count(ByteBuffer key) {
    return hashed.count(hash.hash(key));
  }

  /** Returns the number of copies of the key, or more; never less. */
  public int count(CharSequence key) {
    return hashed.count(hash.hash(key));
  }

  /** Returns the number of copies of the key, or more; never less. */
  public int count(long key) {
    return hashed.count(hash.hash(key));
  }

  /**
   * Returns the view for callers that compute the hashes of keys themselves.
   *
   * @param by the function that they use
   * @throws IllegalArgumentException if it is another function than {@link #keyHash}, or has
   *     another secret
   */
  public HashedCuckooFilter hashed(KeyHash by) {
    if (by.fingerprint() != hash.fingerprint()) {
      throw new IllegalArgumentException("hash must be of the same function and secret");
    }
    return hashed;
  }

  /** Returns the hash function of the keys. */
  public KeyHash keyHash() {
    return hash;
  }

  /** Removes all keys but keeps the memory, and aborts a running rebuild. */
  public void clear() {
    chain.resizer().clear();
  }

  /** Returns the number of fingerprints stored. */
  public long size() {
    return stats().size();
  }

  /** Returns the number of fingerprints that fit before the filter grows or refuses additions. */
  public long capacity() {
    return stats().capacity();
  }

  /** Returns the fraction of all slots in use. */
  public double load() {
    return stats().load();
  }

  /** Returns the memory in use in bytes, including that of a running rebuild. */
  public long bytes() {
    return chain.resizer().bytes();
  }

  /** Returns the probability that an absent key looks present, at the current load. */
  public double expectedFalsePositiveRate() {
    return chain.resizer().rate();
  }

  /** Returns the statistics of the filter. */
  public FilterStats stats() {
    return chain.stats();
  }

  /**
   * Sets the memory budget in bytes. If the filter exceeds it, its fingerprints are shortened as
   * far as needed, but not below 8 bits (12 for buckets of 1 or 2). This does not need the keys. If
   * the listener or the policy refuses, or the shortest fingerprints do not fit, nothing changes;
   * the old budget remains.
   *
   * @return the memory and the false positive rate before and after the call
   */
  public ShrinkResult maxBytes(long maxBytes) {
    if (maxBytes <= 0) {
      throw new IllegalArgumentException("maxBytes must be positive: " + maxBytes);
    }
    return chain.resizer().setMaxBytes(maxBytes);
  }

  /**
   * Rebuilds the filter from the keys of a store, as one table with one copy of each key. The new
   * table has room for the keys that the source expects and an eighth more. Lookups, additions and
   * removals continue meanwhile, and the new table replaces the old ones atomically.
   *
   * <p>Additions and removals during the rebuild apply to the new table too: no added key is lost,
   * and no removed key returns, except as described at {@link RebuildResult#kept}. Writers are
   * blocked at the end while these changes are applied, for some tens of nanoseconds per change.
   *
   * <p>The filter must hold at most one copy of each key, as with {@link #add(byte[],
   * BooleanSupplier)}. Of a key with several copies one remains, and removing one copy during the
   * rebuild removes the key. The log of changes also has an entry for each key that was not added
   * because of the limit of copies.
   *
   * @param progress receives the number of keys scanned, once per 65,536 keys
   * @throws IllegalStateException if another rebuild is running
   */
  @CheckReturnValue
  public RebuildResult rebuild(KeySource source, LongConsumer progress) {
    return new Rebuild(chain.resizer(), hash, source, progress).run();
  }

  /**
   * Writes the filter, in a form that {@link CuckooFilterBuilder#restore} reads with the same
   * secret. Copies the tables, during which writers wait, and then writes the copy; does not close
   * the stream.
   */
  public void writeTo(OutputStream out) throws IOException {
    double rate = chain.resizer().plan().rate();
    chain
        .resizer()
        .withWritersLocked(tables -> FilterSnapshot.of(hash.fingerprint(), rate, tables))
        .writeTo(out);
  }
}
