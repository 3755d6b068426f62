package io.heatshield.config.value;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An amount of memory: plain bytes, or a number with a unit ({@code KiB} is 1024 bytes, {@code KB}
 * is 1000).
 */
public record ByteSize(long bytes) {
  private static final Map<String, Long> UNITS = new LinkedHashMap<>();

  static {
    UNITS.put("TiB", 1L << 40);
    UNITS.put("GiB", 1L << 30);
    UNITS.put("MiB", 1L << 20);
    UNITS.put("KiB", 1L << 10);
    UNITS.put("TB", 1_000_000_000_000L);
    UNITS.put("GB", 1_000_000_000L);
    UNITS.put("MB", 1_000_000L);
    UNITS.put("KB", 1_000L);
    UNITS.put("B", 1L);
  }

  private static final Pattern SIZE =
      Pattern.compile("([0-9]{1,19}(?:\\.[0-9]{1,19})?) ?([A-Za-z]{0,3})");
  private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE);

  /** Creates a size, which must not be negative. */
  public ByteSize {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes must not be negative: " + bytes);
    }
  }

  /**
   * Parses a size.
   *
   * @throws IllegalArgumentException if the text is not a size
   */
  public static ByteSize parse(String text) {
    if (text.startsWith("-")) {
      throw new InvalidValueException("a size must not be negative");
    }
    Matcher size = SIZE.matcher(text);
    if (!size.matches()) {
      throw new InvalidValueException("must be a size, for example 10MiB, 64KB or plain bytes");
    }
    String unit = size.group(2);
    Long factor = unit.isEmpty() ? Long.valueOf(1) : UNITS.get(unit);
    if (factor == null) {
      throw new InvalidValueException(
          "must be a size in B, KiB, MiB, GiB, TiB, KB, MB, GB or TB", hint(size.group(1), unit));
    }
    BigDecimal bytes = new BigDecimal(size.group(1)).multiply(BigDecimal.valueOf(factor));
    if (bytes.compareTo(LARGEST) > 0) {
      throw new InvalidValueException("is larger than any size that can be held");
    }
    if (bytes.stripTrailingZeros().scale() > 0) {
      throw new InvalidValueException("must be a whole number of bytes");
    }
    return new ByteSize(bytes.longValueExact());
  }

  /** Returns the size in the largest binary unit that is exact. */
  @Override
  public String toString() {
    for (Map.Entry<String, Long> unit : UNITS.entrySet()) {
      if (unit.getKey().endsWith("iB") && bytes != 0 && bytes % unit.getValue() == 0) {
        return bytes / unit.getValue() + unit.getKey();
      }
    }
    return Long.toString(bytes);
  }

  private static String hint(String number, String unit) {
    String nearest =
        switch (Character.toUpperCase(unit.charAt(0))) {
          case 'K' -> "KiB";
          case 'M' -> "MiB";
          case 'G' -> "GiB";
          case 'T' -> "TiB";
          default -> "B";
        };
    return "write " + number + nearest;
  }
}
