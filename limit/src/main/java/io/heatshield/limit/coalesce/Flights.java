package io.heatshield.limit.coalesce;

import io.heatshield.limit.BackendUnavailableException;
import io.heatshield.limit.CounterKey;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The callers of one hot counter that gather, and the flights of it that are out.
 *
 * <p>A flight leaves at once if the last one left a window ago; otherwise callers gather until the
 * window ends. "At once" is the end of the turn if the caller is an event loop: all calls of that
 * turn leave together. A flight that is full leaves earlier if the key left a window unused before,
 * so that it never sends more than one call for each window. At most two are out: while they are,
 * callers go on gathering, and what they wait past the end of the window is taken off the time for
 * their answer.
 *
 * <p>Any thread may call any method; none waits.
 */
final class Flights {
  /*
   * last     the newest caller that gathers; null: nobody   read: volatile   join: CAS   take: swap
   * out      flights that are out                           raised by the leader, lowered by who tells
   * turn     0: nobody leads                                raised by who wants to, see lead()
   * leftAt   read: volatile, by anyone                      written by the leader
   * armed    read and set by the leader, cleared by the timer: volatile
   * ready, readyAt, spare, dueAt   plain, the leader's; the timer reads dueAt of what it found in its queue
   *
   * Callers form a list that each one prepends itself to by one CAS, with the sum of all hits before
   * it: the order of the CASes is the order of arrival, and the newest caller knows the whole flight.
   *
   * Three events can make a departure possible: somebody joins, a flight lands, the window ends.
   * After each of them somebody looks: the first of a gathering does, the one who fills it, whoever
   * joins a gathering whose window is over, who lands one of two flights, and the timer. Who finds a leader at
   * work leaves it a note in "turn", and the leader looks once more. So flights leave one after the
   * other, in the order of their callers, and nobody gathers whom nobody will look for. Pinned by
   * CoalescerLincheckTest, CoalescerStress and FlightsPropertyTest.
   *
   * A caller that is an event loop does not look itself: it asks the loop to, at the end of the turn, and
   * the leader asks the loop that it is for the end of the window. That needs no other thread, and the calls of a turn
   * share a flight. Whoever asks has the timer watch the key first, once for all who ask within its patience:
   *
   * asked, scheduled   a loop was asked, for the turn's or the window's end: volatile, cleared when it looks
   * watched            the timer has the key: CAS to true, cleared by the timer before it looks
   *
   * The timer clears all three, so a loop that ended and dropped what it was asked is not waited for twice. Who joins publishes
   * itself and reads the flags then, who looks clears them and reads the callers then: one of the two sees the other.
   *
   * A gathering over the turn of a window is split into runs; those that may not leave yet are ready.
   *
   * spare says that two windows passed between two flights. A full flight takes it, so an early departure is always
   * that of a window in which none was: in any time at most one more flight leaves than windows begin in it.
   *
   * A flight is due from readyAt on: the end of the window, or when its first caller came. Its deadline is counted from
   * there, so those of one key never go back, as the timer of the Redis client needs it.
   */
  static final int MOST_OUT = 2;

  /** The batches that may gather. */
  static final int MOST_BATCHES = 16;

  private final CounterKey key;
  private final Hangar hangar;
  private final AtomicReference<@Nullable Caller> last = new AtomicReference<>();
  private final AtomicInteger out = new AtomicInteger();
  private final AtomicInteger turn = new AtomicInteger();
  private final Deque<Caller> ready = new ArrayDeque<>(1);
  private volatile long leftAt;
  private final AtomicBoolean watched = new AtomicBoolean();
  private final Runnable atTurnEnd = this::turned;
  private final Runnable atWindowEnd = this::ended;
  private volatile boolean armed;
  private volatile boolean asked;
  private volatile boolean scheduled;
  private boolean spare = true;
  private long readyAt;
  private long dueAt;

  Flights(CounterKey key, Hangar hangar) {
    this.key = key;
    this.hangar = hangar;
    this.leftAt = hangar.now() - hangar.terms().windowNanos();
  }

  /** Adds a caller to those that gather; false if as many do as may. */
  boolean join(Caller caller) {
    Terms terms = hangar.terms();
    Caller before;
    do {
      before = last.get();
      if (before != null && before.place() >= (long) MOST_BATCHES * terms.maxBatch()) {
        return false;
      }
      caller.follow(before);
    } while (!last.compareAndSet(before, caller));
    if (before == null
        || caller.place() == terms.maxBatch()
        || caller.joinedAt - leftAt >= terms.windowNanos()) {
      look();
    }
    return true;
  }

  /** Takes note that a flight is not out any more. */
  void landed() {
    if (out.getAndDecrement() == MOST_OUT) {
      lead();
    }
  }

  /** Takes how long a caller has waited for its flight to leave. */
  void waited(long nanos) {
    hangar.waited(nanos);
  }

  /** Takes note that the window is over; by the timer. */
  void expired() {
    armed = false;
    lead();
  }

  /** Takes note that a loop had time enough to look; by the timer. */
  void overlooked() {
    watched.set(false);
    asked = false;
    scheduled = false;
    lead();
  }

  /** Returns when the timer is to look; by the timer, of what it was given. */
  long dueAt() {
    return dueAt;
  }

  /** Looks at the end of the turn if the calling thread is an event loop, otherwise at once. */
  private void look() {
    CallerLoop loop = hangar.loop();
    if (loop == null) {
      lead();
      return;
    }
    watch();
    if (!asked) {
      asked = true;
      if (!loop.atTurnEnd(atTurnEnd)) {
        turned();
      }
    }
  }

  private void turned() {
    asked = false;
    lead();
  }

  private void ended() {
    scheduled = false;
    lead();
  }

  private void watch() {
    if (!watched.get() && watched.compareAndSet(false, true)) {
      hangar.watch(this);
    }
  }

  /** Lets leave what may, unless somebody is about it, who then looks again. */
  private void lead() {
    if (turn.getAndIncrement() != 0) {
      return;
    }
    boolean done = false;
    try {
      int seen = 1;
      while (seen != 0) {
        depart(hangar.now());
        seen = turn.addAndGet(-seen);
      }
      done = true;
    } finally {
      if (!done) {
        turn.set(0);
        hangar.remind(this);
      }
    }
  }

  private void depart(long now) {
    while (out.get() < MOST_OUT) {
      Caller run = ready.poll();
      if (run != null) {
        launch(run, now);
        continue;
      }
      Caller gathered = last.get();
      if (gathered == null) {
        return;
      }
      if (!isDue(gathered, now)) {
        arm(now);
        return;
      }
      take(last.getAndSet(null), now);
    }
  }

  private boolean isDue(Caller gathered, long now) {
    Terms terms = hangar.terms();
    return now - leftAt >= terms.windowNanos()
        || (spare && gathered.place() >= terms.maxBatch())
        || hangar.isClosed();
  }

  /** Has somebody look when the window ends: the loop that the leader is, or else the timer. */
  private void arm(long now) {
    long endsAt = leftAt + hangar.terms().windowNanos();
    CallerLoop loop = hangar.loop();
    if (loop != null) {
      watch();
      if (scheduled) {
        return;
      }
      scheduled = true;
      if (loop.after(endsAt - now, atWindowEnd)) {
        return;
      }
      scheduled = false;
    }
    if (!armed) {
      armed = true;
      dueAt = endsAt;
      hangar.remind(this);
    }
  }

  /** Takes a gathering that leaves now. */
  private void take(@Nullable Caller gathered, long now) {
    if (gathered != null) {
      long window = hangar.terms().windowNanos();
      long since = now - leftAt;
      long dueFor = Math.min(since - window, now - gathered.since());
      readyAt = now - Math.max(0, dueFor);
      spare = since >= window && (spare || since - window >= window);
      leftAt = now;
      split(gathered);
    }
  }

  /** Makes the runs of a gathering ready, the oldest first. */
  private void split(Caller gathered) {
    @Nullable Caller run = gathered;
    while (run != null) {
      ready.addFirst(run);
      Caller earlier = run;
      for (int left = run.inRun(); left > 0 && earlier != null; left--) {
        earlier = earlier.before();
      }
      run = earlier;
    }
  }

  private void launch(Caller run, long now) {
    out.incrementAndGet();
    var flight = new Flight(this, run, now);
    RuntimeException cause = null;
    boolean sent = false;
    try {
      hangar.departed(run);
      hangar.send(key, run, now - readyAt, flight);
      sent = true;
    } catch (RuntimeException e) {
      cause = e;
    } finally {
      if (!sent) {
        fail(flight, cause);
      }
    }
    if (flight.hasFailed()) {
      // Nothing went out, as when the breaker is open: nobody need wait for a window to end.
      leftAt = now - hangar.terms().windowNanos();
    }
  }

  /** Fails a flight that was not sent; what its callers throw is not for who leads. */
  private static void fail(Flight flight, @Nullable RuntimeException cause) {
    try {
      flight.failed(0, failure(cause));
    } catch (RuntimeException ofACaller) {
      // All were told.
    }
  }

  private static BackendUnavailableException failure(@Nullable RuntimeException cause) {
    String sentence = "the counter backend failed";
    return cause == null
        ? new BackendUnavailableException(sentence)
        : new BackendUnavailableException(sentence, cause);
  }
}
