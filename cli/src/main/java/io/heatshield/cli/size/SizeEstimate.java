package io.heatshield.cli.size;

import io.heatshield.filter.CuckooFilter;
import io.heatshield.filter.CuckooFilterBuilder;
import io.heatshield.filter.FilterSize;
import io.heatshield.filter.Growth;
import java.util.List;

/**
 * The memory that keys take, raw and in filters: computed, but for the time of a build.
 *
 * @param keys the keys
 * @param filter the size of the cuckoo filter
 * @param rawKeys the bytes of the keys alone; a table that finds them takes more
 * @param bloomFilter a Bloom filter with the number of hash functions that is best for the rate
 * @param cuckooFilter the filter of a store
 * @param speed how fast a filter is built here
 */
public record SizeEstimate(
    KeySet keys,
    FilterSize filter,
    Alternative rawKeys,
    Alternative bloomFilter,
    Alternative cuckooFilter,
    BuildSpeed speed) {

  /**
   * Estimates the memory of keys, and measures the speed of a build for about a second.
   *
   * @throws io.heatshield.settings.InvalidSettingsException if no filter has such a rate
   */
  public static SizeEstimate of(KeySet keys) {
    FilterSize filter = builder(keys).size();
    double raw = (double) keys.items() * keys.keyBytes();
    return new SizeEstimate(
        keys,
        filter,
        Alternative.of("raw keys", keys, raw, 0, true),
        Alternative.of("Bloom filter", keys, bloomBytes(keys), keys.rate(), false),
        Alternative.of(
            "cuckoo filter", keys, (double) filter.bytes(), filter.falsePositiveRate(), true),
        BuildSpeed.measure(keys));
  }

  /** Returns a builder of a filter as a store has it, without the owner's secret. */
  static CuckooFilterBuilder builder(KeySet keys) {
    return CuckooFilter.builder()
        .expectedItems(keys.items())
        .falsePositiveRate(keys.rate())
        .growth(Growth.REBUILD);
  }

  /** Returns the three alternatives, for a table. */
  public List<Alternative> alternatives() {
    return List.of(rawKeys, bloomFilter, cuckooFilter);
  }

  /** Returns the seconds in which one thread of this machine adds all keys. */
  public double buildSeconds() {
    return keys.items() / speed.keysPerSecond();
  }

  /** Returns the bytes of a Bloom filter: n x ln(1/p) / ln(2)^2 bits. */
  private static double bloomBytes(KeySet keys) {
    double bits = keys.items() * -Math.log(keys.rate()) / (Math.log(2) * Math.log(2));
    return Math.ceil(bits / Byte.SIZE);
  }
}
