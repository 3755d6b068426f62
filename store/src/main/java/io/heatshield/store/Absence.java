package io.heatshield.store;

import io.heatshield.action.Action;
import io.heatshield.action.Mode;
import io.heatshield.filter.AddResult;
import io.heatshield.filter.CuckooFilter;
import io.heatshield.filter.CuckooFilterBuilder;
import io.heatshield.filter.FilterStats;
import io.heatshield.filter.Growth;
import io.heatshield.filter.ShrinkResult;
import io.heatshield.hash.KeyHash;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows which keys the engine does not hold.
 *
 * <p>Each key that the engine holds, ended or not, is in the filter exactly once. A new key is
 * added before the engine is asked to write it, and a key is taken out only after the engine has
 * said that it was there and is no more. Until the filter has all keys nobody trusts it.
 */
final class Absence {
  /*
   * complete   read: volatile, on every read   written under this
   * gaps       times that keys in the engine were not added: one found no place, or the mode was off   under this
   *
   * A rebuild that saw a gap begin after it did is not complete: the key may lie behind its scan.
   */
  private static final Logger log = LoggerFactory.getLogger(Absence.class);
  private static final long LOCK_BYTES = 1 << 15;

  /** With eight bits each, in 45 % of the bytes. */
  private static final double ITEMS_PER_BYTE = 0.42;

  private final String store;
  private final StoreOptions.Filter options;
  private final KeyHash hash;
  private final Action action;
  private final Tally tally;
  private final boolean shared;
  private final long budget;
  private volatile CuckooFilter filter;
  private volatile boolean complete;
  private long gaps;

  Absence(Parts parts, StoreOptions.Filter options, long budget) {
    this.store = parts.options().name();
    this.options = options;
    this.hash = parts.hash();
    this.budget = budget;
    this.action = parts.action("absence", Mode.OFF);
    this.tally = parts.tally();
    this.shared = parts.options().sharedWriters();
    this.filter = first();
    mode(options.mode());
  }

  /** Sets the mode; with other writers it only observes. */
  synchronized void mode(Mode next) {
    Mode possible = shared && next == Mode.ENFORCE ? Mode.OBSERVE : next;
    if (action.mode() == Mode.OFF || possible == Mode.OFF) {
      gaps++;
      complete = false;
    }
    action.mode(possible);
  }

  boolean isOn() {
    return action.mode() != Mode.OFF;
  }

  /** Returns whether the filter has every key. */
  boolean isComplete() {
    return complete;
  }

  CuckooFilter filter() {
    return filter;
  }

  /** Returns whether the filter, if it has every key, says that this one is not there. */
  boolean says(long keyHash) {
    return complete && !filter.contains(keyHash);
  }

  /** Asks whether a key that the filter says is not there shall be answered so. */
  boolean answers(long keyHash) {
    if (action.apply(1, keyHash)) {
      tally.absent.increment();
      return true;
    }
    return false;
  }

  /**
   * Takes what the engine said of a key.
   *
   * @param saidAbsent what {@link #says} returned before
   * @param unchanged whether nobody wrote the key since
   */
  void compare(long keyHash, boolean saidAbsent, @Nullable Value held, boolean unchanged) {
    if (saidAbsent && held != null) {
      if (unchanged) {
        tally.disagreements.increment();
      }
    } else if (!saidAbsent && held == null && complete && filter.contains(keyHash)) {
      tally.falsePositives.increment();
    }
  }

  /** Returns whether the engine must say if a key is there before that is put. */
  boolean mustAskBeforePut(long keyHash) {
    return !complete || filter.contains(keyHash);
  }

  /** Adds a key that is not there and is about to be put. */
  void add(long keyHash) {
    AddResult result = filter.addIfAbsent(keyHash, () -> false);
    if (!result.accepted()) {
      overflow();
    }
  }

  /** Takes out a key that the engine had and has no more, or that was added and not put. */
  void remove(long keyHash) {
    filter.delete(keyHash);
  }

  /**
   * Does not ask the filter until it has been rebuilt, because keys may be there that it does not
   * have. With other writers it only observes, so it stays as it is.
   */
  synchronized void distrust() {
    if (!shared) {
      gaps++;
      complete = false;
    }
  }

  synchronized void cleared() {
    filter.clear();
    complete = isOn();
  }

  /** Takes a filter that was kept in a file. */
  synchronized void take(CuckooFilter loaded) {
    filter = loaded;
    complete = isOn();
  }

  CuckooFilterBuilder builder() {
    return CuckooFilter.builder(hash)
        .falsePositiveRate(options.falsePositiveRate())
        .fingerprintBits(options.fingerprintBits())
        .bucketSize(options.bucketSize())
        .maxEvictions(options.maxEvictions())
        .growth(options.grow())
        .budgetBytes(budget)
        .onOverBudget(options.onOverBudget())
        .onWarning(warning -> log.warn("filter of store {}: {}", store, warning));
  }

  /** Returns how often keys were not added, for {@link #completeUnless}. */
  synchronized long gaps() {
    return gaps;
  }

  /** Trusts the filter unless a key was not added since there were so many gaps. */
  synchronized void completeUnless(long gapsBefore) {
    complete = isOn() && gaps == gapsBefore;
  }

  boolean wantsRebuild() {
    return isOn() && (!complete || filter.stats().rebuildWanted() || isNearlyFull());
  }

  /** Returns for how many keys to make the next filter if the engine holds so many. */
  long sizeFor(long held) {
    long wanted = Math.max(fitting(), isNearlyFull() ? 2 * held : held);
    return Math.max(1, wanted);
  }

  Mode mode() {
    return action.mode();
  }

  /** Gives the filter all that it may take again. */
  void restoreBudget() {
    filter.budgetBytes(budget);
  }

  /** Shortens the fingerprints so that the filter takes a quarter less, if it can. */
  void giveUpPrecision() {
    ShrinkResult shrink = filter.budgetBytes(Math.max(1, filter.bytes() / 4 * 3));
    log.warn(
        "filter of store {} gave up precision: {} to {} bytes, {} of absent keys pass instead of"
            + " {}",
        store,
        shrink.bytesBefore(),
        shrink.bytesAfter(),
        shrink.rateAfter(),
        shrink.rateBefore());
  }

  FilterStats stats() {
    return filter.stats();
  }

  long bytes() {
    return filter.bytes();
  }

  /** Returns what the filter leaves of its budget while it, or a next one like it, is rebuilt. */
  long spareBytes() {
    return budget - (filter.bytes() / 2 * 3);
  }

  private boolean isNearlyFull() {
    if (options.grow() != Growth.REBUILD) {
      return false;
    }
    FilterStats now = filter.stats();
    return now.size() > 0.9 * now.capacity();
  }

  private synchronized void overflow() {
    gaps++;
    if (complete) {
      complete = false;
      log.warn("filter of store {} is full and is not asked until it has been rebuilt", store);
    }
  }

  /** Returns an empty filter that leaves room for the next one beside it, if it can. */
  private CuckooFilter first() {
    long items = fitting();
    CuckooFilter made = builder().expectedItems(items).build();
    while (items > 1 && 2 * made.bytes() > budget) {
      items /= 2;
      made = builder().expectedItems(items).build();
    }
    return made;
  }

  /** Returns the items that fit into less than half the budget, which leaves room for a rebuild. */
  private long fitting() {
    long most = (long) ((budget - LOCK_BYTES) * ITEMS_PER_BYTE);
    return Math.min(options.expectedItems(), Math.max(1, most));
  }
}
