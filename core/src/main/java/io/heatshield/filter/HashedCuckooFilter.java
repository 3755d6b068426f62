package io.heatshield.filter;

import java.util.function.BooleanSupplier;

/**
 * The view of a {@link CuckooFilter} for callers that have already computed the hashes of keys,
 * with the function that they passed to {@link CuckooFilter#hashed}.
 */
public final class HashedCuckooFilter {
  private final CuckooFilter filter;
  private final TableChain chain;
  private final int maxCopies;

  HashedCuckooFilter(CuckooFilter filter, TableChain chain) {
    this.filter = filter;
    this.chain = chain;
    this.maxCopies = chain.resizer().plan().maxCopies();
  }

  /** Returns the filter. */
  public CuckooFilter filter() {
    return filter;
  }

  /** Returns false if the key with this hash is definitely absent. */
  public boolean mightContain(long hash) {
    int found = chain.findInSingleTable(hash);
    return found == Lookup.UNKNOWN ? chain.contains(hash) : found != Lookup.ABSENT;
  }

  /** Adds the key with this hash; see {@link CuckooFilter#add(byte[], BooleanSupplier)}. */
  @CheckReturnValue
  public AddResult add(long hash, BooleanSupplier ownerHadKey) {
    if (chain.contains(hash) && ownerHadKey.getAsBoolean()) {
      return AddResult.PRESENT;
    }
    return chain.add(hash, Integer.MAX_VALUE);
  }

  /** Adds another copy of the key with this hash; see {@link CuckooFilter#add(byte[])}. */
  @CheckReturnValue
  public AddResult add(long hash) {
    return chain.add(hash, maxCopies);
  }

  /** Removes the key with this hash; see {@link CuckooFilter#remove(byte[], BooleanSupplier)}. */
  public RemoveResult remove(long hash, BooleanSupplier removedByOwner) {
    return removedByOwner.getAsBoolean() ? chain.delete(hash) : RemoveResult.NOT_OWNED;
  }

  /** Returns the number of copies of the key with this hash, or more; never less. */
  public int count(long hash) {
    return chain.count(hash);
  }
}
