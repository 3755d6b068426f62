package io.heatshield.data.command.keys;

import io.heatshield.data.command.KeyCall;
import io.heatshield.store.engine.Value;

/** The forms in which commands take an expiry time. */
enum ExpireTime {
  /** Seconds from now. */
  EX(1000, false),
  /** Milliseconds from now. */
  PX(1, false),
  /** Unix seconds. */
  EXAT(1000, true),
  /** Unix milliseconds. */
  PXAT(1, true);

  private final int unit;
  private final boolean absolute;

  ExpireTime(int unit, boolean absolute) {
    this.unit = unit;
    this.absolute = absolute;
  }

  /** Returns the expiry time in Unix milliseconds; fails if the amount is not positive. */
  long positive(KeyCall call, long amount) {
    if (amount <= 0) {
      throw call.invalidExpire();
    }
    return any(call, amount);
  }

  /** Returns the expiry time in Unix milliseconds, which may lie in the past. */
  long any(KeyCall call, long amount) {
    if (amount > Long.MAX_VALUE / unit || amount < Long.MIN_VALUE / unit) {
      throw call.invalidExpire();
    }
    long base = absolute ? 0 : call.now();
    long millis = amount * unit;
    if (millis > Long.MAX_VALUE - base) {
      throw call.invalidExpire();
    }
    // The maximum stands for no expiry.
    return Math.min(millis + base, Value.NEVER - 1);
  }
}
