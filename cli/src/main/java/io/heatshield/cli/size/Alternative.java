package io.heatshield.cli.size;

import org.jspecify.annotations.Nullable;

/**
 * A way to know which keys exist.
 *
 * @param name its name
 * @param bytes the memory for all keys
 * @param rate the share of absent keys that it takes for present
 * @param falsePositivesPerSecond these keys per second, or null if the misses are not known
 * @param costPerMonth the price of the memory, or null if the price of a GiB is not known
 * @param removes whether a key can be removed
 */
public record Alternative(
    String name,
    double bytes,
    double bitsPerKey,
    double rate,
    @Nullable Double falsePositivesPerSecond,
    @Nullable Double costPerMonth,
    boolean removes) {
  private static final double GIB = 1L << 30;

  static Alternative of(String name, KeySet keys, double bytes, double rate, boolean removes) {
    Double misses = keys.missesPerSecond();
    Double price = keys.pricePerGibMonth();
    return new Alternative(
        name,
        bytes,
        8 * bytes / keys.items(),
        rate,
        misses == null ? null : misses * rate,
        price == null ? null : bytes / GIB * price,
        removes);
  }
}
