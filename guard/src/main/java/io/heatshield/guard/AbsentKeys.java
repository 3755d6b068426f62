package io.heatshield.guard;

import io.heatshield.action.Action;
import io.heatshield.action.Mode;
import io.heatshield.filter.AddResult;
import io.heatshield.filter.CuckooFilter;
import io.heatshield.filter.CuckooFilterBuilder;
import io.heatshield.filter.FilterStats;
import io.heatshield.filter.HashedCuckooFilter;
import io.heatshield.filter.KeySource;
import io.heatshield.filter.RebuildResult;
import io.heatshield.filter.ShrinkResult;
import io.heatshield.settings.InvalidSettingsException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Knows which keys a backend does not have, by a cuckoo filter of all keys that it has.
 *
 * <p>A key must be added before it is written to the backend. While the filter may lack a key it is
 * not <em>complete</em>, and no key is reported as absent. There are two ways to maintain it:
 *
 * <ul>
 *   <li>Exactly, for an owner that knows which keys are new: {@link #addNew}, {@link #remove}, and
 *       {@link #rebuild} from the backend's keys.
 *   <li>Add-only, for an owner that does not: {@link #add}, and a {@link Fill} of a new filter.
 * </ul>
 *
 * <p>The savings are those of the action {@code absence}; with other writers it only observes. Any
 * thread may call any method.
 */
public final class AbsentKeys {
  /*
   * filter        volatile; replaced when a fill ends or a stored filter is taken over
   * filling       volatile; the filter of a running fill. add() writes to it first: if it is null
   *               again, the filled filter has replaced the old one
   * complete      volatile, read by every check; written under the monitor, as are the gaps
   * gaps          how often a key may have been missed. A rebuild or fill during which this number
   *               grew is not complete: its scan may have passed the key
   * settledMark   the filter is not used until all changes up to this mark have been delivered
   */
  private final GuardContext context;
  private final FilterShape shape;
  private final long budget;
  private final boolean exclusive;
  private final ChangeFeed changes;
  private final LongUnaryOperator versions;
  private final Action action;
  private final AbsenceAudit audit;
  private final LongAdder answered = new LongAdder();
  private final AtomicInteger unclear = new AtomicInteger();
  private volatile HashedCuckooFilter filter;
  private volatile @Nullable HashedCuckooFilter filling;
  private volatile boolean complete;
  private volatile long settledMark;
  private long gaps;

  /**
   * Creates an empty, incomplete filter in mode {@link Mode#OFF}.
   *
   * @param budget the memory in bytes that the filter may use, also while it is rebuilt
   * @param exclusive whether the owner is the backend's only writer
   * @param changes the delivery of changes by other writers
   * @param versions returns, for a key's hash, a number that differs after the owner has written
   *     the key
   */
  public AbsentKeys(
      GuardContext context,
      FilterShape shape,
      long budget,
      boolean exclusive,
      ChangeFeed changes,
      LongUnaryOperator versions) {
    this.context = context;
    this.shape = shape;
    this.budget = budget;
    this.exclusive = exclusive;
    this.changes = changes;
    this.versions = versions;
    this.action = context.action("absence", Mode.OFF);
    this.filter = first();
    this.settledMark = changes.mark();
    this.audit = new AbsenceAudit(changes, this::isMissing);
  }

  /** Sets the mode; with other writers {@link Mode#ENFORCE} becomes {@link Mode#OBSERVE}. */
  public synchronized void mode(Mode next) {
    Mode possible = !exclusive && next == Mode.ENFORCE ? Mode.OBSERVE : next;
    if (action.mode() == Mode.OFF || possible == Mode.OFF) {
      invalidate();
    }
    action.mode(possible);
  }

  /** Returns the mode. */
  public Mode mode() {
    return action.mode();
  }

  /** Returns whether keys are recorded. */
  public boolean isOn() {
    return action.mode() != Mode.OFF;
  }

  /** Returns whether the filter has every key. */
  public boolean isComplete() {
    return complete;
  }

  /** Returns whether the filter is used: it has every key, and no change is pending. */
  public boolean isTrusted() {
    return complete && isSettled();
  }

  /** Checks a key that is to be read; in mode enforce the check may answer the read. */
  public AbsenceCheck check(long hash) {
    boolean absent = isAbsent(hash);
    if (absent && action.apply(1, hash)) {
      answered.increment();
      return AbsenceCheck.ANSWERED;
    }
    return absent ? observe(hash) : new AbsenceCheck(this, hash, false, 0);
  }

  /** Checks a key that is read from the backend in any case. */
  public AbsenceCheck observe(long hash) {
    long version = versions.applyAsLong(hash);
    // Checked after the version was read: a key added between the two is not a disagreement.
    return new AbsenceCheck(this, hash, isAbsent(hash), version);
  }

  /** Returns whether the filter, complete or not, contains a key; for reports. */
  public boolean looksPresent(long hash) {
    return filter.mightContain(hash);
  }

  /** Returns whether the owner must find out if a key is new before it writes it. */
  public boolean isUncertain(long hash) {
    return !complete || filter.mightContain(hash);
  }

  /** Adds a key that the backend does not have and that is about to be written. */
  public void addNew(long hash) {
    if (isOn() && !filter.add(hash, () -> false).accepted()) {
      overflow();
    }
  }

  /** Removes a key that was deleted from the backend, or that was added and not written. */
  public void remove(long hash) {
    if (isOn()) {
      filter.remove(hash, () -> true);
    }
  }

  /** Adds a key that may be in the backend from now on; for owners that do not remove keys. */
  public void add(long hash) {
    if (!isOn()) {
      return;
    }
    HashedCuckooFilter next = filling;
    if (next != null) {
      addTo(next, hash);
    }
    if (complete) {
      addTo(filter, hash);
    }
  }

  /** Suspends the filter during a command that may write keys which it does not name. */
  public void beginUnclear() {
    unclear.incrementAndGet();
  }

  /** Ends what {@link #beginUnclear} began, once the command's changes have been delivered. */
  public void endUnclear() {
    settledMark = changes.mark();
    unclear.decrementAndGet();
  }

  /** Disables the filter until it is rebuilt, because any key may have been written. */
  public synchronized void invalidate() {
    gaps++;
    complete = false;
  }

  /** Removes all keys, because the backend has none any more. */
  public synchronized void clear() {
    filter.filter().clear();
    complete = isOn();
  }

  /** Returns whether the filter is incomplete or nearly full. */
  public boolean wantsRebuild() {
    FilterStats now = filter.filter().stats();
    return isOn() && (!complete || now.rebuildWanted() || shape.isNearlyFull(now));
  }

  /** Returns the number of keys to rebuild for, given the number of keys in the backend. */
  public long sizeFor(long held) {
    long wanted = shape.isNearlyFull(filter.filter().stats()) ? 2 * held : held;
    return Math.max(1, Math.max(shape.itemsWithin(budget), wanted));
  }

  /** Restores the filter's whole budget, and returns a token for {@link #completeSince}. */
  public synchronized long beginRebuild() {
    filter.filter().maxBytes(budget);
    return gaps;
  }

  /** Rebuilds the filter, which stays exact while keys are added and removed. */
  public RebuildResult rebuild(KeySource source, LongConsumer progress) {
    return filter.filter().rebuild(source, progress);
  }

  /** Marks the filter as complete after a rebuild, unless a key may have been missed meanwhile. */
  public synchronized boolean completeSince(long token) {
    complete = isOn() && gaps == token;
    return complete;
  }

  /**
   * Begins to fill a new filter for about the given number of keys; empty if they do not fit into
   * the budget. Only one fill may run at a time.
   */
  public synchronized Optional<Fill> beginFill(long keys) {
    HashedCuckooFilter next = empty(Math.max(shape.expectedItems(), keys + keys / 2));
    next = next == null ? empty(Math.max(1, keys)) : next;
    if (next == null) {
      return Optional.empty();
    }
    filling = next;
    return Optional.of(new Fill(next, gaps));
  }

  /** Loads a complete filter that was serialized from {@link #filter}. */
  public synchronized void load(InputStream stored) throws IOException {
    filter = hashed(builder().restore(stored));
    complete = isOn();
  }

  /** Shortens fingerprints so that the filter takes a quarter less memory, if it can. */
  public ShrinkResult reducePrecision() {
    CuckooFilter shrunk = filter.filter();
    return shrunk.maxBytes(Math.max(1, shrunk.bytes() / 4 * 3));
  }

  /** Decides possible disagreements that had to wait for pending changes. */
  public void judge() {
    audit.decidePending();
  }

  /** Returns the filter, to be serialized. */
  public CuckooFilter filter() {
    return filter.filter();
  }

  /** Returns the number of reads that were answered. */
  public long answered() {
    return answered.sum();
  }

  /** Returns the number of reads of absent keys that the filter took for present. */
  public long falsePositives() {
    return audit.falsePositives();
  }

  /** Returns the number of existing keys that the filter took for absent: must be 0. */
  public long disagreements() {
    return audit.disagreements();
  }

  void verify(long hash, boolean absent, long version, boolean found) {
    if (absent && found && versions.applyAsLong(hash) == version) {
      audit.disagree(hash);
    } else if (!absent && !found && complete && filter.mightContain(hash)) {
      audit.falsePositive();
    }
  }

  private boolean isAbsent(long hash) {
    return isMissing(hash) && isSettled();
  }

  /** Returns whether every change that may have added a key has been delivered. */
  private boolean isSettled() {
    return unclear.get() == 0 && changes.isDelivering() && changes.hasPassed(settledMark);
  }

  /** Returns whether the filter is complete and does not contain a key. */
  private boolean isMissing(long hash) {
    return complete && !filter.mightContain(hash);
  }

  private void addTo(HashedCuckooFilter into, long hash) {
    if (!into.mightContain(hash) && into.add(hash) == AddResult.FULL) {
      overflow();
    }
  }

  private synchronized void overflow() {
    gaps++;
    if (complete) {
      complete = false;
      context.warnings().accept("the filter of absent keys is full and not used until rebuilt");
    }
  }

  /** Returns an empty filter of at most half the budget if possible, so that a rebuild fits. */
  private HashedCuckooFilter first() {
    long items = shape.itemsWithin(budget);
    CuckooFilter made = builder().expectedItems(items).build();
    while (items > 1 && 2 * made.bytes() > budget) {
      items /= 2;
      made = builder().expectedItems(items).build();
    }
    return hashed(made);
  }

  private @Nullable HashedCuckooFilter empty(long items) {
    try {
      return hashed(builder().expectedItems(items).build());
    } catch (InvalidSettingsException noRoom) {
      return null;
    }
  }

  private HashedCuckooFilter hashed(CuckooFilter made) {
    return made.hashed(context.hash());
  }

  private CuckooFilterBuilder builder() {
    return shape.builder(context.secret(), budget, context.warnings());
  }

  /** A new filter that is filled with the backend's keys while others are added. */
  public final class Fill implements AutoCloseable {
    private final HashedCuckooFilter next;
    private final long gapsBefore;

    private Fill(HashedCuckooFilter next, long gapsBefore) {
      this.next = next;
      this.gapsBefore = gapsBefore;
    }

    /** Adds a key of the backend; adding it again has no effect. */
    public void add(long hash) {
      addTo(next, hash);
    }

    /**
     * Replaces the old filter by the new one; returns whether it is complete: no key can have been
     * missed since the fill began.
     */
    public boolean finish() {
      synchronized (AbsentKeys.this) {
        filter = next;
        settledMark = changes.mark();
        return changes.isDelivering() && completeSince(gapsBefore);
      }
    }

    /** Ends the fill; without {@link #finish} the old filter stays. */
    @Override
    public void close() {
      filling = null;
    }
  }
}
