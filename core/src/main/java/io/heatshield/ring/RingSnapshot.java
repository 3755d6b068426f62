package io.heatshield.ring;

import java.util.List;

/**
 * Keys of a ring and their counts at one time.
 *
 * @param takenNanos the ticker's reading when the iteration over the ring began; touches during the
 *     iteration may be missing
 * @param keys the keys, the hottest first; keys with equal counts are ordered by their bytes
 */
public record RingSnapshot(long takenNanos, List<KeyCount> keys) {

  /** Copies the keys. */
  public RingSnapshot {
    keys = List.copyOf(keys);
  }
}
