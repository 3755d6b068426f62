package io.heatshield.ring;

import java.util.List;

/**
 * Keys of a ring and their counts at one time.
 *
 * @param takenNanos the ticker's reading when the walk over the ring began; touches that came
 *     during the walk may or may not be in it
 * @param keys the hottest first, ties by key
 */
public record RingSnapshot(long takenNanos, List<KeyCount> keys) {

  /** Copies the keys. */
  public RingSnapshot {
    keys = List.copyOf(keys);
  }
}
