package io.heatshield.store;

import io.heatshield.hash.HashSecret;
import io.heatshield.ring.HotRing;
import io.heatshield.time.Ticker;
import java.time.Duration;

/**
 * How a ring of a store counts; what each part means, and that 0 switches it off, is said in {@link
 * io.heatshield.ring.HotRingBuilder}.
 *
 * @param bits the base-two logarithm of the cells it starts with; 0 for 12
 * @param topK how many keys the statistics list
 * @param windowSlots the slots of the window
 * @param slot the length of one
 * @param rotation how long a generation is active
 * @param nodeCap the most keys of a generation; 0 for as many as the memory holds
 * @param sampleBits the share of newcomers that a full ring admits without a contest
 * @param decayInterval how often counts decay
 * @param decayShift by how many bits
 */
public record RingShape(
    int bits,
    int topK,
    int windowSlots,
    Duration slot,
    Duration rotation,
    int nodeCap,
    int sampleBits,
    Duration decayInterval,
    int decayShift) {
  private static final int DEFAULT_BITS = 12;
  private static final int MAX_NODES = 250_000;

  /** Returns 8 slots of 250 ms, which hold 2 s. */
  public static RingShape standard() {
    return new RingShape(
        DEFAULT_BITS,
        16,
        8,
        Duration.ofMillis(250),
        Duration.ofMinutes(30),
        MAX_NODES,
        0,
        Duration.ZERO,
        0);
  }

  /** Returns 6 slots of 100 ms, which tell keys that are written often. */
  public static RingShape routing() {
    return new RingShape(
        DEFAULT_BITS,
        16,
        6,
        Duration.ofMillis(100),
        Duration.ofMinutes(10),
        200_000,
        0,
        Duration.ZERO,
        0);
  }

  /** Returns the length of the window, zero if there is none. */
  Duration window() {
    return slot.multipliedBy(windowSlots);
  }

  /** Returns a ring of this shape that takes at most so many bytes. */
  HotRing build(HashSecret secret, Ticker ticker, long bytes) {
    return HotRing.builder()
        .bits(bits == 0 ? DEFAULT_BITS : bits)
        .top(topK)
        .window(windowSlots, slot)
        .rotation(rotation)
        .cap(nodeCap)
        .capBytes(bytes)
        .sampleBits(sampleBits)
        .decay(decayInterval, decayShift)
        .secret(secret)
        .ticker(ticker)
        .build();
  }
}
