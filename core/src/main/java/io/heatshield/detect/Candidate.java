package io.heatshield.detect;

/** A key that has a place in the table, with its state and its last verdict. */
final class Candidate {
  /** The states of a tracked key. */
  enum State {
    /** Below the threshold. */
    COOL,
    /** Above the threshold by an estimate that may be wrong; no listener is called. */
    UNCERTAIN,
    /** Hot, while {@code turnedHot} is being called. */
    RISING,
    /** Hot. */
    HOT,
    /** No longer hot, while {@code cooled} is being called. */
    FALLING,
    /** The place was given to another key. */
    GONE
  }

  /*
   * COOL, UNCERTAIN -> RISING -> HOT -> FALLING -> COOL
   * COOL <-> UNCERTAIN
   * COOL, UNCERTAIN -> GONE
   *
   * Only the thread that moves a key into RISING or FALLING calls the listener.
   *
   * state, verdict   written together under this object's monitor, which is held for a few
   *                  instructions; read by any thread, volatile. The verdict is COOL in the states
   *                  COOL, FALLING and GONE.
   * latest           guarded by the monitor. Two threads may publish in another order than they
   *                  have counted in; a verdict from earlier counts than the latest one is not
   *                  published, or it would be returned for touches that it does not include.
   * key              volatile; cut by the table when another key needs the room
   * rank             guarded by the table's lock
   */
  final long hash;

  /** The number under which every stripe counts the key exactly. */
  final int number;

  final long firstSeenNanos;
  volatile StoredKey key;
  long rank;

  private volatile State state = State.COOL;
  private volatile Verdict verdict = Verdict.COOL;

  /** The verdict from the latest counts, also when the key has cooled since. */
  private Verdict latest = Verdict.COOL;

  Candidate(long hash, int number, StoredKey key, long firstSeenNanos) {
    this.hash = hash;
    this.number = number;
    this.key = key;
    this.firstSeenNanos = firstSeenNanos;
  }

  /** Returns the last verdict. */
  Verdict verdict() {
    return verdict;
  }

  boolean isHot() {
    return state == State.RISING || state == State.HOT;
  }

  boolean isUncertain() {
    return state == State.UNCERTAIN;
  }

  boolean isCool() {
    return state == State.COOL;
  }

  /**
   * Sets a hot verdict, unless the key is leaving or falling, or a verdict from later counts was
   * set. Returns whether the key was not hot before; the caller then calls the listener and {@link
   * #finishRise}.
   */
  synchronized boolean raise(Verdict hot) {
    boolean rises = state == State.COOL || state == State.UNCERTAIN;
    if (hot.isOlderThan(latest) || !(rises || isHot())) {
      return false;
    }
    if (rises) {
      state = State.RISING;
    }
    latest = hot;
    verdict = hot;
    return rises;
  }

  synchronized void finishRise() {
    state = State.HOT;
  }

  /**
   * Makes a key cool if it is uncertain, or if it is hot and its verdict is still the given one: a
   * later verdict is from a later count. Returns whether it was hot; the caller then calls the
   * listener and {@link #finishFall}.
   */
  synchronized boolean cool(Verdict last) {
    boolean falls = state == State.HOT && verdict == last;
    if (falls || state == State.UNCERTAIN) {
      state = falls ? State.FALLING : State.COOL;
      verdict = Verdict.COOL;
    }
    return falls;
  }

  synchronized void finishFall() {
    state = State.COOL;
  }

  /** Sets an uncertain verdict if the key is not hot and no verdict is from later counts. */
  synchronized void doubt(Verdict uncertain) {
    boolean hot = state != State.COOL && state != State.UNCERTAIN;
    if (!hot && !uncertain.isOlderThan(latest)) {
      state = State.UNCERTAIN;
      latest = uncertain;
      verdict = uncertain;
    }
  }

  /** Gives up the place, unless the key is hot or a listener is being called. */
  synchronized boolean leave() {
    boolean leaves = isDisplaceable();
    if (leaves) {
      state = State.GONE;
      verdict = Verdict.COOL;
    }
    return leaves;
  }

  boolean isDisplaceable() {
    State now = state;
    return now == State.COOL || now == State.UNCERTAIN;
  }
}
