package io.heatshield.action;

/** The answer of a full table to a limited call of a key that it does not hold. */
public enum WhenFull {
  /** Admits the call and does not count it: a flood of other keys blocks no key. */
  ADMIT,

  /** Refuses the call: no key ever exceeds its limit, but a flood of other keys may block it. */
  REFUSE
}
