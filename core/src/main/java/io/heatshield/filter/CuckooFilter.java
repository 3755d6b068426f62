package io.heatshield.filter;

import io.heatshield.hash.KeyHash;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * A set of keys in a few bits each, which says of a key "definitely absent" or "perhaps there", and
 * from which keys can be deleted.
 *
 * <p><b>No false absent.</b> A key whose addition was {@linkplain AddResult#accepted accepted} and
 * that has not been deleted is found, at every moment and by every thread: at full load, while its
 * fingerprint is moved, during growth, shrinking, rebuilding and after loading. Only this voids it:
 * deleting a key that was not added (use {@link #deleteIfPresent}), deleting after an unguarded
 * {@link #addIfAbsent(long)}, a hash that is not of this filter's {@link KeyHash}, or a {@link
 * KeySource} that breaks its promise.
 *
 * <p><b>False positives.</b> An absent key looks present with a probability of at most <i>2 b a /
 * (2<sup>f</sup> - 1)</i> for <i>f</i> bits per fingerprint, <i>b</i> slots per bucket and a load
 * <i>a</i>, over the choice of the hash's secret; in a chain, the sum of this over the sub-filters.
 * By default <i>f</i> is the least that keeps the target at a load of 95 %: 13 bits for 0.1 % and
 * buckets of 4. Keys chosen without knowing the secret do no better than keys at random; whoever
 * can ask and sees the answers can collect false positives, but not make more of them.
 *
 * <p><b>Memory.</b> <i>f / 0.95</i> bits per key for buckets of 4 and more (13.7 for 0.1 %), in any
 * even number of buckets, plus at most 4.2 KB of locks, 2 KB of offsets and versions (32 KB for
 * buckets of 1 or 2) and 48 bytes per permitted eviction. {@link #bytes} counts all of it, except
 * object headers. Nothing is allocated by looking up, adding and deleting, other than by growth. A
 * shrink needs the smaller copy beside the original for as long as it takes.
 *
 * <p><b>When it is full.</b> At {@link #capacity} additions are refused, or the filter grows. Below
 * it an addition is refused if no chain of moves within reach ends in an empty slot; with buckets
 * of 4, at least 8 bits and 500 evictions this was never seen. A refused addition has changed
 * nothing.
 *
 * <p><b>Copies.</b> Adding a key again stores it again, up to a limit (the bucket size unless set),
 * so that a key that is overwritten for ever cannot fill its two buckets; beyond, the answer is
 * {@link AddResult#AT_LIMIT}. Other keys with the same fingerprint in the same buckets count
 * towards it. An owner that knows its keys uses {@link #addIfAbsent(long, BooleanSupplier)}
 * instead.
 *
 * <p><b>Threads.</b> Any thread may call any method. Lookups take no lock and are not held up by
 * writers; they look again only if a fingerprint like theirs was moved or deleted meanwhile.
 * Additions and deletions lock the regions of two buckets; those that have to move others take
 * turns. Each of {@code contains}, {@code add}, {@code delete} and {@code count} is atomic in a
 * filter of one table; in a chain, two threads that add the same key at the moment of growth may
 * both be told {@link AddResult#ADDED} by {@code addIfAbsent}. Clearing, snapshots, shrinking and
 * the end of a rebuild hold up writers, not readers.
 */
public final class CuckooFilter {
  private final KeyHash hash;
  private final TableChain chain;

  CuckooFilter(KeyHash hash, TableChain chain) {
    this.hash = hash;
    this.chain = chain;
  }

  /** Returns a builder of filters that hash their keys with this function. */
  public static CuckooFilterBuilder builder(KeyHash hash) {
    return new CuckooFilterBuilder(hash);
  }

  /** Returns false if the key with this hash is definitely absent. */
  public boolean contains(long hash) {
    int found = chain.find(hash);
    return found == Lookup.UNSURE ? chain.contains(hash) : found != Lookup.ABSENT;
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

  /** Adds the key with this hash, once more if it is in already. */
  public AddResult add(long hash) {
    return chain.add(hash, chain.resizer().plan().maxCopies(), false);
  }

  /** Adds the key, once more if it is in already. */
  public AddResult add(byte[] key) {
    return add(hash.hash(key));
  }

  /** Adds the key, once more if it is in already. */
  public AddResult add(ByteBuffer key) {
    return add(hash.hash(key));
  }

  /** Adds the key, once more if it is in already. */
  public AddResult add(CharSequence key) {
    return add(hash.hash(key));
  }

  /**
   * Adds the key with this hash unless it, or one that looks the same, is in.
   *
   * <p>For filters from which nothing is deleted: a key that was taken for another is only as long
   * in the filter as that one.
   */
  public AddResult addIfAbsent(long hash) {
    return chain.add(hash, Integer.MAX_VALUE, true);
  }

  /** Adds the key unless it, or one that looks the same, is in; see {@link #addIfAbsent(long)}. */
  public AddResult addIfAbsent(byte[] key) {
    return addIfAbsent(hash.hash(key));
  }

  /** Adds the key unless it, or one that looks the same, is in; see {@link #addIfAbsent(long)}. */
  public AddResult addIfAbsent(ByteBuffer key) {
    return addIfAbsent(hash.hash(key));
  }

  /** Adds the key unless it, or one that looks the same, is in; see {@link #addIfAbsent(long)}. */
  public AddResult addIfAbsent(CharSequence key) {
    return addIfAbsent(hash.hash(key));
  }

  /**
   * Adds the key with this hash unless the owner says that it was there.
   *
   * <p>The owner is asked only if the key looks present, which is rare for a new one, and no lock
   * is held meanwhile. A key that is added in this way and deleted by {@link #deleteIfPresent} is
   * in the filter exactly once, however often it is overwritten, and takes no part in the limit of
   * copies; only in a chain, where deletions may be {@linkplain DeleteResult#KEPT kept}, it is
   * {@link AddResult#AT_LIMIT} once copies that look like it fill both its buckets. Calls for one
   * key must not race each other: an owner that answers from its store has them in a row.
   */
  public AddResult addIfAbsent(long hash, BooleanSupplier wasThere) {
    if (chain.contains(hash) && wasThere.getAsBoolean()) {
      return AddResult.PRESENT;
    }
    return chain.add(hash, Integer.MAX_VALUE, false);
  }

  /**
   * Deletes one copy of the key with this hash.
   *
   * <p>The key must have been added. If it was not, and looks present, the fingerprint of another
   * key is erased, which is absent from then on: the filter cannot tell. {@link #deleteIfPresent}
   * asks the owner.
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
   * Deletes one copy of the key with this hash if it looks present and the owner says that it was
   * there. No lock is held while the owner is asked.
   */
  public DeleteResult deleteIfPresent(long hash, BooleanSupplier wasThere) {
    if (!chain.contains(hash)) {
      return DeleteResult.ABSENT;
    }
    return wasThere.getAsBoolean() ? chain.delete(hash) : DeleteResult.NOT_OWNED;
  }

  /** Returns how many copies look like the key with this hash: never fewer than it has. */
  public int count(long hash) {
    return chain.count(hash);
  }

  /** Returns how many copies look like the key: never fewer than it has. */
  public int count(byte[] key) {
    return count(hash.hash(key));
  }

  /** Returns how many copies look like the key: never fewer than it has. */
  public int count(ByteBuffer key) {
    return count(hash.hash(key));
  }

  /** Returns how many copies look like the key: never fewer than it has. */
  public int count(CharSequence key) {
    return count(hash.hash(key));
  }

  /** Deletes everything and keeps the tables; a running rebuild is given up. */
  public void clear() {
    chain.resizer().clear();
  }

  /** Returns how many fingerprints are stored. */
  public long size() {
    return stats().size();
  }

  /** Returns how many fingerprints may be stored before the filter grows or refuses. */
  public long capacity() {
    return stats().capacity();
  }

  /** Returns the part of all slots that is taken. */
  public double load() {
    return stats().load();
  }

  /** Returns the memory that the filter takes, with that of a running rebuild. */
  public long bytes() {
    return chain.resizer().bytes();
  }

  /** Returns the probability, at the present load, that an absent key looks present. */
  public double expectedFalsePositiveRate() {
    return chain.resizer().rate();
  }

  /** Returns all numbers about the filter. */
  public FilterStats stats() {
    return chain.stats();
  }

  /**
   * Sets the memory budget. If the filter is larger, its fingerprints are shortened as far as
   * needed, which needs no keys; fingerprints of more than 8 bits can be shortened to 8 (12 for
   * buckets of 1 or 2). If the listener or policy says no, or even that is too large, nothing
   * changes, not even the budget.
   *
   * @return by how much memory and false positive rate changed
   */
  public ShrinkResult budgetBytes(long budgetBytes) {
    if (budgetBytes <= 0) {
      throw new IllegalArgumentException("budget bytes must be positive: " + budgetBytes);
    }
    return chain.resizer().budget(budgetBytes);
  }

  /**
   * Makes the filter anew from the keys of a store, sized for what the source expects and an eighth
   * more, in one table, with every key once. Reads and writes go on; the change at the end is
   * atomic.
   *
   * <p>Additions and deletions during the rebuild hold after it: nothing added is lost, and nothing
   * deleted comes back, except as {@link RebuildResult#kept} says. Writers wait while the changes
   * are settled at the end, some dozen nanoseconds for each.
   *
   * <p>It is for owners who have every key in once, as {@link #addIfAbsent} with an answer keeps
   * it: of a key with several copies one is left, and one that is deleted during the rebuild counts
   * as the key. Keys that are added if absent meanwhile, and look present, take room among the
   * changes too.
   *
   * @param progress told how many keys were scanned, every 65,536
   * @throws IllegalStateException if another rebuild runs
   */
  public RebuildResult rebuild(KeySource source, LongConsumer progress) {
    return new Rebuild(chain.resizer(), source, progress).run();
  }

  /** Returns an immutable copy of the filter as it is at one moment, to be stored. */
  public FilterSnapshot snapshot() {
    double rate = chain.resizer().plan().rate();
    return chain.resizer().frozen(tables -> FilterSnapshot.of(hash.fingerprint(), rate, tables));
  }
}
