package io.heatshield.cli.size;

import org.jspecify.annotations.Nullable;

/**
 * The keys whose memory is estimated.
 *
 * @param items the number of keys
 * @param keyBytes the mean length of a key
 * @param valueBytes the mean length of a value, or null if only the keys matter
 * @param rate the false positive rate that is asked for
 * @param missesPerSecond reads of absent keys per second, or null if they are not known
 * @param pricePerGibMonth the price of a GiB of memory in a month, or null if it is not known
 */
public record KeySet(
    long items,
    long keyBytes,
    @Nullable Long valueBytes,
    double rate,
    @Nullable Double missesPerSecond,
    @Nullable Double pricePerGibMonth) {}
