package io.heatshield.action;

/** The result of a limited call of a new key for which a bounded table has no place. */
public enum WhenFull {
  /** The call is admitted and not counted, so the limit does not hold for keys without a place. */
  ADMIT,
  /** The call is refused, so that many new keys can cause other new keys to be refused. */
  REFUSE
}
