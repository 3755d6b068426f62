package io.heatshield.detect;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A key that has a place among the kept ones, with its state and its last verdict. */
final class Candidate extends Slot {
  /*
   * COOL -> UNCERTAIN -> COOL          by estimate, nobody is told
   * COOL, UNCERTAIN -> RISING -> HOT   turnedHot is called while RISING
   * HOT -> FALLING -> COOL             cooled is called while FALLING
   * COOL, UNCERTAIN -> GONE            the place is given to another key
   *
   * state     [number of the rise 29 | one of the above 3], moved by CAS: who moves it into RISING or FALLING calls the
   *           listener, nobody else. Who would make a key cool has read the state before it summed; the number keeps
   *           it from ending a later rise by a sum that does not know of it.
   * told      volatile; COOL unless the key is listed, both changed together by Budgets alone
   * key       volatile; cut to its beginning under the table's lock when another key needs the room
   * rank      guarded by the table's lock
   */
  static final int COOL = 0;
  static final int UNCERTAIN = 1;
  static final int RISING = 2;
  static final int HOT = 3;
  static final int FALLING = 4;
  static final int GONE = 5;

  /** Stands for every key without a place. */
  static final Candidate NOBODY = new Candidate(0, 0, 0, StoredKey.copyOf(new byte[0], 0, 0), 0);

  private static final int KIND = 7;
  private static final int RISE = 8;

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Candidate.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final long firstSeenNanos;
  volatile Verdict told = Verdict.COOL;
  volatile StoredKey key;
  long rank;

  private volatile int state;

  Candidate(long hash, int number, int generation, StoredKey key, long firstSeenNanos) {
    super(hash, number, generation);
    this.key = key;
    this.firstSeenNanos = firstSeenNanos;
  }

  int state() {
    return state & KIND;
  }

  /** Returns the state with the number of its rise, for {@link #fall}. */
  int moment() {
    return state;
  }

  static boolean isHotAt(int moment) {
    return (moment & KIND) == RISING || (moment & KIND) == HOT;
  }

  boolean move(int from, int to) {
    int now = state;
    int next = ((now & ~KIND) | to) + (to == RISING ? RISE : 0);
    return (now & KIND) == from && STATE.compareAndSet(this, now, next);
  }

  /** Moves from hot to falling if nothing has moved since the moment. */
  boolean fall(int moment) {
    return (moment & KIND) == HOT && STATE.compareAndSet(this, moment, (moment & ~KIND) | FALLING);
  }

  /** Returns whether this key's verdict is another than cool. */
  boolean isListed() {
    return isListedAt(state);
  }

  static boolean isListedAt(int moment) {
    int now = moment & KIND;
    return now >= UNCERTAIN && now <= HOT;
  }

  /** Returns whether this key counts as hot: it cools below the exit rate. */
  boolean isHot() {
    return isHotAt(state);
  }

  /** Gives up the place unless the key is hot. */
  boolean leave() {
    return move(COOL, GONE) || move(UNCERTAIN, GONE);
  }

  KeyReport report(
      Limits limits,
      long estimate,
      long error,
      long guaranteed,
      long lastSeenNanos,
      boolean atLeast) {
    Verdict last = told;
    return new KeyReport(
        key,
        hash,
        last.kind(),
        estimate,
        error,
        guaranteed,
        limits.rate(estimate),
        firstSeenNanos,
        lastSeenNanos,
        last.sinceNanos(),
        atLeast);
  }
}
