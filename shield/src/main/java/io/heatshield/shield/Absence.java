package io.heatshield.shield;

import io.heatshield.action.Action;
import io.heatshield.action.Mode;
import io.heatshield.action.Savings;
import io.heatshield.config.settings.ShieldSettings;
import io.heatshield.config.settings.Writers;
import io.heatshield.filter.CuckooFilter;
import io.heatshield.filter.Growth;
import io.heatshield.filter.OverBudget;
import io.heatshield.hash.KeyHash;
import io.heatshield.redis.Talk;
import io.heatshield.redis.TalkException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows of one database of the upstream which keys are not there: a filter that has every key that
 * is, and some that were.
 *
 * <p>It is filled by one walk through all keys, and from then on by every key that somebody is told
 * to have changed, and by every key that a command through the shield may write, before that is
 * handed on. Any thread may call; {@link #walk} waits.
 */
final class Absence {
  /*
   * filter     read: volatile, replaced whole at the end of a walk
   * next       the filter that a walk fills; whoever adds to the one adds to the other, to this one first: who finds it
   *            gone finds the walked one in the place of the filter
   * complete   true from the end of a walk until any key may have changed; written under this, as generation is raised
   *
   * A command that may write keys it does not name makes the filter hold its tongue until it is answered and all changes
   * up to then have been told. A disagreement is judged when all changes up to the answer have been told: before, a
   * foreign write may have come between the filter's word and the upstream's. Pinned by ShieldAbsenceIT.
   */
  private static final Logger log = LoggerFactory.getLogger(Absence.class);
  private static final int MAX_DOUBTS = 1024;
  private static final String AT_ONCE = "1000";

  /** More keys than any upstream has, and few enough to be reckoned with. */
  private static final long MOST_KEYS = 1L << 40;

  /** How long an upstream that has too many keys is not asked again. */
  private static final long NO_ROOM_NANOS = TimeUnit.SECONDS.toNanos(30);

  private record Doubt(long hash, long mark) {}

  private final KeyHash hash;
  private final Action action;
  private final Tracking tracking;
  private final boolean exclusive;
  private final long expected;
  private final long budget;
  private final AtomicInteger unclear = new AtomicInteger();
  private final AtomicInteger generation = new AtomicInteger();
  private final Queue<Doubt> doubts = new ArrayBlockingQueue<>(MAX_DOUBTS);
  private final LongAdder disagreements = new LongAdder();
  private volatile CuckooFilter filter;
  private volatile @Nullable CuckooFilter next;
  private volatile boolean complete;
  private volatile long clearMark = -1;
  private volatile long walkFrom;

  Absence(
      ShieldSettings settings,
      long budget,
      KeyHash hash,
      Savings savings,
      String scope,
      Tracking tracking) {
    this.hash = hash;
    this.tracking = tracking;
    this.exclusive = settings.writers() == Writers.EXCLUSIVE;
    this.expected = settings.cuckooFilter().expectedItems();
    this.budget = budget;
    this.action = savings.action("absence", scope, Mode.OFF);
    this.filter = filter(1);
    mode(settings.cuckooFilter().mode());
  }

  /** Sets the mode; with other writers it only observes. */
  void mode(Mode wanted) {
    Mode possible = wanted == Mode.ENFORCE && !exclusive ? Mode.OBSERVE : wanted;
    if (possible == Mode.OFF) {
      forget();
    }
    action.mode(possible);
  }

  boolean isOn() {
    return action.mode() != Mode.OFF;
  }

  boolean isComplete() {
    return complete;
  }

  long disagreements() {
    return disagreements.sum();
  }

  /** Returns whether a key is surely not there. */
  boolean says(long hashed) {
    return complete
        && tracking.isUp()
        && !filter.contains(hashed)
        && unclear.get() == 0
        && (clearMark < 0 || tracking.hasPassed(clearMark));
  }

  /** Asks whether a key that is not there shall be answered so. */
  boolean answers(long hashed) {
    return action.apply(1, hashed);
  }

  /** Takes that the upstream has a key which was said not to be there. */
  void disagree(long hashed) {
    if (!doubts.offer(new Doubt(hashed, tracking.mark()))) {
      disagreements.increment();
    }
  }

  /** Takes note of a key that may be there from now on. */
  void add(long hashed) {
    if (!isOn()) {
      return;
    }
    CuckooFilter filling = next;
    if (filling != null) {
      add(filling, hashed);
    }
    add(filter, hashed);
  }

  /** Takes note of a command that may write keys which it does not name. */
  void beginUnclear() {
    unclear.incrementAndGet();
  }

  void endUnclear() {
    clearMark = tracking.mark();
    unclear.decrementAndGet();
  }

  /** Any key may be there. */
  synchronized void forget() {
    complete = false;
    walkFrom = 0;
    generation.incrementAndGet();
  }

  /** Judges what is old enough to be judged. */
  void judge() {
    for (Iterator<Doubt> each = doubts.iterator(); each.hasNext(); ) {
      Doubt doubt = each.next();
      if (!tracking.isUp()) {
        each.remove();
      } else if (tracking.hasPassed(doubt.mark)) {
        each.remove();
        if (complete && !filter.contains(doubt.hash)) {
          disagreements.increment();
        }
      }
    }
  }

  boolean wantsWalk() {
    return isOn() && !complete && tracking.isUp() && tracking.mark() >= walkFrom;
  }

  /** Fills a new filter with all keys of all servers. */
  void walk(List<Talk> talks) throws TalkException {
    int began = generation.get();
    long size = 0;
    for (Talk talk : talks) {
      long keys = talk.ask("DBSIZE") instanceof Long number ? Math.max(0, number) : 0;
      size = Math.min(MOST_KEYS, size + Math.min(MOST_KEYS, keys));
    }
    CuckooFilter filling = fitting(size);
    if (filling == null) {
      walkFrom = tracking.mark() + NO_ROOM_NANOS;
      log.warn("the filter has no room for {} keys in {} bytes and is not asked", size, budget);
      return;
    }
    next = filling;
    try {
      boolean all = true;
      for (Talk talk : talks) {
        all &= walk(talk, filling);
      }
      if (all) {
        trust(filling, began);
      }
    } finally {
      next = null;
    }
  }

  /** Asks a filter from now on, unless any key may have changed since its walk began. */
  private synchronized void trust(CuckooFilter filled, int began) {
    filter = filled;
    if (began == generation.get() && tracking.isUp()) {
      complete = true;
      log.info("the filter of absent keys is complete: {} keys", filled.size());
    }
  }

  private boolean walk(Talk talk, CuckooFilter filling) throws TalkException {
    byte[] cursor = {'0'};
    do {
      Object page =
          talk.ask("SCAN", new String(cursor, StandardCharsets.US_ASCII), "COUNT", AT_ONCE);
      if (!(page instanceof List<?> parts)
          || parts.size() != 2
          || !(parts.get(0) instanceof byte[] following)
          || !(parts.get(1) instanceof List<?> keys)) {
        return false;
      }
      for (Object key : keys) {
        if (key instanceof byte[] bytes) {
          add(filling, hash.hash(bytes));
        }
      }
      cursor = following;
    } while (cursor.length != 1 || cursor[0] != '0');
    return true;
  }

  private void add(CuckooFilter into, long hashed) {
    if (!into.contains(hashed) && !into.addIfAbsent(hashed).accepted()) {
      forget();
    }
  }

  /** Returns a filter with room to spare for so many keys, or at least for them, or null. */
  private @Nullable CuckooFilter fitting(long keys) {
    for (long items : new long[] {Math.max(expected, keys + keys / 2), Math.max(1, keys)}) {
      try {
        return filter(items);
      } catch (IllegalArgumentException noRoom) {
        log.debug("no filter for {} keys in {} bytes", items, budget);
      }
    }
    return null;
  }

  private CuckooFilter filter(long items) {
    return CuckooFilter.builder(hash)
        .expectedItems(items)
        .falsePositiveRate(0.001)
        .growth(Growth.REFUSE)
        .budgetBytes(budget)
        .onOverBudget(OverBudget.DEGRADE)
        .build();
  }
}
