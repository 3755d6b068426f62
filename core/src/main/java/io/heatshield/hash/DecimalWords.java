package io.heatshield.hash;

/** The decimal digits of a number, with its sign, as little-endian words of eight characters. */
final class DecimalWords {
  private static final int RADIX = 10;

  private final long first;
  private final long second;
  private final long third;
  private final int length;

  DecimalWords(long number) {
    // The digits are taken from a negative number, because the least one has no positive.
    long rest = number < 0 ? number : -number;
    long low = 0;
    long middle = 0;
    long high = 0;
    int count = 0;
    do {
      high = high << Byte.SIZE | middle >>> (Long.SIZE - Byte.SIZE);
      middle = middle << Byte.SIZE | low >>> (Long.SIZE - Byte.SIZE);
      low = low << Byte.SIZE | ('0' - rest % RADIX);
      rest /= RADIX;
      count++;
    } while (rest != 0);
    if (number < 0) {
      high = high << Byte.SIZE | middle >>> (Long.SIZE - Byte.SIZE);
      middle = middle << Byte.SIZE | low >>> (Long.SIZE - Byte.SIZE);
      low = low << Byte.SIZE | '-';
      count++;
    }
    first = low;
    second = middle;
    third = high;
    length = count;
  }

  /** Returns characters 0 to 7. */
  long first() {
    return first;
  }

  /** Returns characters 8 to 15. */
  long second() {
    return second;
  }

  /** Returns characters 16 to 19, the most that a number has. */
  long third() {
    return third;
  }

  /** Returns the number of characters. */
  int length() {
    return length;
  }
}
