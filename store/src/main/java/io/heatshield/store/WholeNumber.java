package io.heatshield.store;

import io.heatshield.store.engine.StoreException;
import io.heatshield.store.engine.Value;
import org.jspecify.annotations.Nullable;

/** Reads whole numbers of 64 bits exactly as Redis does: no plus, no leading zero, no space. */
final class WholeNumber {
  private static final int MAX_LENGTH = 20;

  private WholeNumber() {}

  /** Returns the number that a text is, or fails. */
  static long parse(byte[] text) {
    boolean negative = text.length > 0 && text[0] == '-';
    int first = negative ? 1 : 0;
    int digits = text.length - first;
    boolean zero = digits == 1 && text[first] == '0' && !negative;
    if (digits < 1 || text.length > MAX_LENGTH || (text[first] == '0' && !zero)) {
      throw none();
    }
    long number = 0;
    for (int i = first; i < text.length; i++) {
      int digit = text[i] - '0';
      if (digit < 0 || digit > 9 || number < (Long.MIN_VALUE + digit) / 10) {
        throw none();
      }
      number = (number * 10) - digit;
    }
    if (!negative && number == Long.MIN_VALUE) {
      throw none();
    }
    return negative ? number : -number;
  }

  private static StoreException none() {
    return new StoreException(
        StoreException.Reason.NOT_A_NUMBER, "value is not an integer or out of range");
  }

  /** Returns the sum of the number that a value holds, 0 if there is none, and another. */
  static long sum(@Nullable Value before, long delta) {
    if (before == null) {
      return delta;
    }
    if (before.type() != Value.STRING) {
      throw new StoreException(StoreException.Reason.WRONG_TYPE, "the value is of another type");
    }
    long number = parse(before.bytes());
    long sum = number + delta;
    if (((number ^ sum) & (delta ^ sum)) < 0) {
      throw new StoreException(
          StoreException.Reason.OVERFLOW, "increment or decrement would overflow");
    }
    return sum;
  }
}
