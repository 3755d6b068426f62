package io.heatshield.contest;

/** Why a touch of a key that the table does not hold brought it no place. */
public enum Refusal implements Touched {
  /** The key scores too little against the entry it contested with. */
  LOST,
  /** Every entry that was looked at is held by its owner. */
  NO_CANDIDATE
}
