package io.heatshield.filter;

import io.heatshield.hash.KeyHash;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * A probabilistic set of keys that stores a few bits per key and supports deletion. A lookup
 * returns "definitely absent" or "probably present".
 *
 * <p><b>No false negatives.</b> A key whose addition was {@linkplain AddResult#accepted accepted}
 * and that has not been deleted is found at every moment by every thread: at full load, while its
 * fingerprint is moved, during growth, shrinking and rebuilding, and after loading. Only the
 * following voids this guarantee: deleting a key that was not added (use {@link #deleteIfPresent}),
 * deleting a key that was added by {@link #addIfAbsent(long)}, a hash that this filter's {@link
 * KeyHash} did not compute, and a {@link KeySource} that violates its contract.
 *
 * <p><b>False positives.</b> An absent key looks present with a probability of at most <i>2 b a /
 * (2<sup>f</sup> - 1)</i> for <i>f</i> bits per fingerprint, <i>b</i> slots per bucket and a load
 * <i>a</i>, over the random choice of the hash secret. The rate of a chain is the sum over its
 * sub-filters. By default <i>f</i> is the smallest number that reaches the target at a load of 95
 * %: 13 bits for 0.1 % and buckets of 4. A client that does not know the secret cannot choose keys
 * with a higher rate. A client that sees the results of lookups can collect false positives, but
 * cannot produce more of them.
 *
 * <p><b>Memory.</b> <i>f / 0.95</i> bits per key for buckets of 4 and more (13.7 for 0.1 %), in any
 * even number of buckets, plus at most 4.2 KB of locks, 2 KB of offsets and versions (32 KB for
 * buckets of 1 or 2) and 48 bytes per permitted eviction. {@link #bytes} includes all of this,
 * except object headers. Lookups, additions and deletions allocate nothing unless the filter grows.
 * Shrinking temporarily needs memory for the smaller copy in addition to the original.
 *
 * <p><b>Full filters.</b> At its {@link #capacity} the filter grows or refuses additions. Below the
 * capacity it refuses an addition if no eviction chain within the search limit leads to an empty
 * slot; with buckets of 4, at least 8 bits and 500 evictions this has never been observed. A
 * refused addition changes nothing.
 *
 * <p><b>Copies.</b> Adding a key again stores another copy, up to a limit, so that a key that is
 * added again and again does not fill its two buckets. At the limit, which is the bucket size by
 * default, {@code add} returns {@link AddResult#AT_LIMIT}. Other keys with the same fingerprint in
 * the same buckets count towards the limit. An owner that knows its keys uses {@link
 * #addIfAbsent(long, BooleanSupplier)} instead.
 *
 * <p><b>Concurrency.</b> Any thread may call any method. Lookups take no lock and are not blocked
 * by writers; they repeat their search only if a similar fingerprint was moved or deleted
 * meanwhile. Additions and deletions lock the regions of two buckets; only one addition at a time
 * moves other fingerprints. Each of {@code contains}, {@code add}, {@code delete} and {@code count}
 * is atomic in a filter of one table. In a chain, if two threads call {@code addIfAbsent} for the
 * same key while the filter grows, both may get {@link AddResult#ADDED}. Clearing, snapshots,
 * shrinking and the end of a rebuild block writers, not readers.
 */
public final class CuckooFilter {
  private final KeyHash hash;
  private final TableChain chain;

  CuckooFilter(KeyHash hash, TableChain chain) {
    this.hash = hash;
    this.chain = chain;
  }

  /** Returns a builder of filters that use the given hash function. */
  public static CuckooFilterBuilder builder(KeyHash hash) {
    return new CuckooFilterBuilder(hash);
  }

  /** Returns false if the key with this hash is definitely absent. */
  public boolean contains(long hash) {
    int found = chain.findInSingleTable(hash);
    return found == Lookup.UNKNOWN ? chain.contains(hash) : found != Lookup.ABSENT;
  }

  /** Returns false if the key is definitely absent. */
  public boolean contains(byte[] key) {
    return contains(hash.hash(key));
  }

  /** Returns false if the key is definitely absent. */
  public boolean contains(ByteBuffer key) {
    return contains(hash.hash(key));
  }

  /** Returns false if the key is definitely absent. */
  public boolean contains(CharSequence key) {
    return contains(hash.hash(key));
  }

  /** Adds the key with this hash, or another copy if it is present. */
  public AddResult add(long hash) {
    return chain.add(hash, chain.resizer().plan().maxCopies(), false);
  }

  /** Adds the key, or another copy if it is present. */
  public AddResult add(byte[] key) {
    return add(hash.hash(key));
  }

  /** Adds the key, or another copy if it is present. */
  public AddResult add(ByteBuffer key) {
    return add(hash.hash(key));
  }

  /** Adds the key, or another copy if it is present. */
  public AddResult add(CharSequence key) {
    return add(hash.hash(key));
  }

  /**
   * Adds the key with this hash unless it, or one that looks the same, is present.
   *
   * <p>This is for filters without deletions: if the key looks like another one, it becomes absent
   * when the other key is deleted.
   */
  public AddResult addIfAbsent(long hash) {
    return chain.add(hash, Integer.MAX_VALUE, true);
  }

  /**
   * Adds the key unless it, or one that looks the same, is present; see {@link #addIfAbsent(long)}.
   */
  public AddResult addIfAbsent(byte[] key) {
    return addIfAbsent(hash.hash(key));
  }

  /**
   * Adds the key unless it, or one that looks the same, is present; see {@link #addIfAbsent(long)}.
   */
  public AddResult addIfAbsent(ByteBuffer key) {
    return addIfAbsent(hash.hash(key));
  }

  /**
   * Adds the key unless it, or one that looks the same, is present; see {@link #addIfAbsent(long)}.
   */
  public AddResult addIfAbsent(CharSequence key) {
    return addIfAbsent(hash.hash(key));
  }

  /**
   * Adds the key with this hash unless the owner had it before.
   *
   * <p>The owner is called without any lock, and only if the key looks present, which is rare for a
   * new key. The filter holds exactly one copy of a key that is only added by this method and
   * deleted by {@link #deleteIfPresent}, and the limit of copies does not apply. In a chain, where
   * a deletion may return {@link DeleteResult#KEPT}, this method returns {@link AddResult#AT_LIMIT}
   * if copies that look like the key fill both its buckets. Calls for the same key must not be
   * concurrent.
   *
   * @param ownerHadKey returns whether the owner had the key before
   */
  public AddResult addIfAbsent(long hash, BooleanSupplier ownerHadKey) {
    if (chain.contains(hash) && ownerHadKey.getAsBoolean()) {
      return AddResult.PRESENT;
    }
    return chain.add(hash, Integer.MAX_VALUE, false);
  }

  /**
   * Deletes one copy of the key with this hash.
   *
   * <p>The key must have been added. If it was not, but looks present, this erases the fingerprint
   * of another key, which is then reported as absent. The filter cannot detect this; {@link
   * #deleteIfPresent} asks the owner.
   */
  public DeleteResult delete(long hash) {
    return chain.delete(hash);
  }

  /** Deletes one copy of the key, which must have been added; see {@link #delete(long)}. */
  public DeleteResult delete(byte[] key) {
    return delete(hash.hash(key));
  }

  /** Deletes one copy of the key, which must have been added; see {@link #delete(long)}. */
  public DeleteResult delete(ByteBuffer key) {
    return delete(hash.hash(key));
  }

  /** Deletes one copy of the key, which must have been added; see {@link #delete(long)}. */
  public DeleteResult delete(CharSequence key) {
    return delete(hash.hash(key));
  }

  /**
   * Deletes one copy of the key with this hash if it looks present and the owner had it.
   *
   * @param ownerHadKey returns whether the owner had the key before; called without any lock
   */
  public DeleteResult deleteIfPresent(long hash, BooleanSupplier ownerHadKey) {
    if (!chain.contains(hash)) {
      return DeleteResult.ABSENT;
    }
    return ownerHadKey.getAsBoolean() ? chain.delete(hash) : DeleteResult.NOT_OWNED;
  }

  /** Returns the number of copies of the key with this hash, or more; never less. */
  public int count(long hash) {
    return chain.count(hash);
  }

  /** Returns the number of copies of the key, or more; never less. */
  public int count(byte[] key) {
    return count(hash.hash(key));
  }

  /** Returns the number of copies of the key, or more; never less. */
  public int count(ByteBuffer key) {
    return count(hash.hash(key));
  }

  /** Returns the number of copies of the key, or more; never less. */
  public int count(CharSequence key) {
    return count(hash.hash(key));
  }

  /** Deletes all keys but keeps the memory, and aborts a running rebuild. */
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
   * Sets the memory budget. If the filter exceeds it, its fingerprints are shortened as far as
   * needed, but not below 8 bits (12 for buckets of 1 or 2). This does not need the keys. If the
   * listener or the policy refuses, or the shortest fingerprints do not fit, nothing changes; the
   * old budget remains.
   *
   * @return the memory and the false positive rate before and after the call
   */
  public ShrinkResult budgetBytes(long budgetBytes) {
    if (budgetBytes <= 0) {
      throw new IllegalArgumentException("budget bytes must be positive: " + budgetBytes);
    }
    return chain.resizer().setBudget(budgetBytes);
  }

  /**
   * Rebuilds the filter from the keys of a store, as one table with one copy of each key. The new
   * table has room for the keys that the source expects and an eighth more. Lookups, additions and
   * deletions continue meanwhile, and the new table replaces the old ones atomically.
   *
   * <p>Additions and deletions during the rebuild apply to the new table too: no added key is lost,
   * and no deleted key returns, except as described at {@link RebuildResult#kept}. Writers are
   * blocked at the end while these changes are applied, for some tens of nanoseconds per change.
   *
   * <p>The filter must hold at most one copy of each key, as with {@link #addIfAbsent(long,
   * BooleanSupplier)}. Of a key with several copies one remains, and deleting one copy during the
   * rebuild deletes the key. The log of changes also has an entry for each key that was not added
   * because it looked present.
   *
   * @param progress receives the number of keys scanned, once per 65,536 keys
   * @throws IllegalStateException if another rebuild is running
   */
  public RebuildResult rebuild(KeySource source, LongConsumer progress) {
    return new Rebuild(chain.resizer(), source, progress).run();
  }

  /** Returns an immutable, consistent copy of the filter that can be stored. */
  public FilterSnapshot snapshot() {
    double rate = chain.resizer().plan().rate();
    return chain
        .resizer()
        .withWritersLocked(tables -> FilterSnapshot.of(hash.fingerprint(), rate, tables));
  }
}
