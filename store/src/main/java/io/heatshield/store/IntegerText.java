package io.heatshield.store;

import io.heatshield.store.engine.StoreException;
import io.heatshield.store.engine.Value;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Parses 64-bit integers exactly as Redis does: no plus sign, no leading zero, no space. */
final class IntegerText {
  private static final int MAX_LENGTH = 20;

  private IntegerText() {}

  /** Parses an integer; fails with {@link StoreException.Reason#NOT_A_NUMBER}. */
  static long parse(byte[] text) {
    int first = text.length > 0 && text[0] == '-' ? 1 : 0;
    boolean canonical =
        text.length > first
            && text.length <= MAX_LENGTH
            && text[first] >= '0'
            && text[first] <= '9'
            && (text[first] != '0' || text.length == 1);
    if (!canonical) {
      throw notAnInteger();
    }
    try {
      return Long.parseLong(new String(text, StandardCharsets.ISO_8859_1));
    } catch (NumberFormatException e) {
      throw notAnInteger();
    }
  }

  private static StoreException notAnInteger() {
    return new StoreException(
        StoreException.Reason.NOT_A_NUMBER, "value is not an integer or out of range");
  }

  /** Returns the sum of the integer that a value holds, 0 if it is null, and another integer. */
  static long sum(@Nullable Value before, long delta) {
    if (before == null) {
      return delta;
    }
    if (before.type() != Value.STRING) {
      throw new StoreException(StoreException.Reason.WRONG_TYPE, "the value is of another type");
    }
    try {
      return Math.addExact(parse(before.bytes()), delta);
    } catch (ArithmeticException e) {
      throw new StoreException(
          StoreException.Reason.OVERFLOW, "increment or decrement would overflow");
    }
  }
}
