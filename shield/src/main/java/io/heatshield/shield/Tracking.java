package io.heatshield.shield;

/** Tells which changes of the upstream have been heard of. Any thread may ask. */
interface Tracking {

  /** Returns whether every change is being told. */
  boolean isUp();

  /** Returns a mark of this moment. */
  long mark();

  /** Returns whether every change that was made before a mark was taken has been told. */
  boolean hasPassed(long mark);
}
