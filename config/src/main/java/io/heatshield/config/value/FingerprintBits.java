package io.heatshield.config.value;

/**
 * The length of a filter's fingerprints, or {@code auto}.
 *
 * @param bits 4 to 32, or 0 for a length derived from the false positive rate
 */
public record FingerprintBits(int bits) {
  /** The length derived from the false positive rate. */
  public static final FingerprintBits AUTO = new FingerprintBits(0);

  /** Creates a length. */
  public FingerprintBits {
    if (bits != 0 && (bits < 4 || bits > 32)) {
      throw new IllegalArgumentException("bits must be 0 or 4 to 32: " + bits);
    }
  }

  /**
   * Parses a length.
   *
   * @throws IllegalArgumentException if the text is neither {@code auto} nor 4 to 32
   */
  public static FingerprintBits parse(String text) {
    if (text.equals("auto")) {
      return AUTO;
    }
    String problem = "must be auto or a whole number from 4 to 32";
    return new FingerprintBits(Numbers.readInt(text, 4, 32, problem));
  }

  @Override
  public String toString() {
    return bits == 0 ? "auto" : Integer.toString(bits);
  }
}
