package io.heatshield.data.command.keys;

import io.heatshield.data.command.KeyCall;
import io.heatshield.store.engine.Value;

/** How a command says when a value ends, and the end that this makes. */
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

  /** Returns the end, which must be above zero before the present time is added. */
  long positive(KeyCall call, long amount) {
    if (amount <= 0) {
      throw call.invalidExpire();
    }
    return any(call, amount);
  }

  /** Returns the end, which may lie in the past. */
  long any(KeyCall call, long amount) {
    if (amount > Long.MAX_VALUE / unit || amount < Long.MIN_VALUE / unit) {
      throw call.invalidExpire();
    }
    long base = absolute ? 0 : call.now();
    long millis = amount * unit;
    if (millis > Long.MAX_VALUE - base) {
      throw call.invalidExpire();
    }
    // The very last moment stands for no end at all.
    return Math.min(millis + base, Value.NEVER - 1);
  }
}
