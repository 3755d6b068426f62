package io.heatshield.store;

import io.heatshield.hash.HashSecret;
import io.heatshield.ring.HotRing;
import io.heatshield.ring.HotRingBuilder;
import io.heatshield.time.Ticker;
import java.time.Duration;

/**
 * The configuration of a ring of a store. {@link io.heatshield.ring.HotRingBuilder} describes each
 * component; 0 disables it.
 *
 * @param bits the base-two logarithm of the cells it starts with; 0 for 12
 * @param topK the number of keys in the statistics
 * @param windowSlots the number of slots in the window
 * @param slot the length of a slot
 * @param rotation how long a generation is active
 * @param nodeCap the maximum number of keys in a generation; 0 for as many as fit into the memory
 * @param sampleBits the share of newcomers that a full ring admits without a contest
 * @param decayInterval how often counts decay
 * @param decayShift by how many bits counts decay
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
  private static final int SLOTS = 8;
  private static final int MAX_NODES = 250_000;

  /** Returns a window of 2 s: 8 slots of 250 ms. */
  public static RingShape standard() {
    return new RingShape(
        DEFAULT_BITS,
        16,
        SLOTS,
        Duration.ofMillis(250),
        Duration.ofMinutes(30),
        MAX_NODES,
        0,
        Duration.ZERO,
        0);
  }

  /** Returns a window of 600 ms, for routing: 6 slots of 100 ms. */
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

  /** Returns this shape with a window of this length, in 8 slots. */
  RingShape window(Duration length) {
    return new RingShape(
        bits,
        topK,
        SLOTS,
        length.dividedBy(SLOTS),
        rotation,
        nodeCap,
        sampleBits,
        decayInterval,
        decayShift);
  }

  /** Returns the length of the window, or zero if there is none. */
  Duration window() {
    return slot.multipliedBy(windowSlots);
  }

  /** Returns a ring of this shape whose entries take at most a number of bytes. */
  HotRing build(HashSecret secret, Ticker ticker, long bytes) {
    return builder(bytes).secret(secret).ticker(ticker).build();
  }

  /** Returns the most bytes of a ring of this shape, given the most bytes of its entries. */
  long maxBytes(long bytes) {
    return builder(bytes).bytes();
  }

  private HotRingBuilder builder(long bytes) {
    return HotRing.builder()
        .bits(bits == 0 ? DEFAULT_BITS : bits)
        .window(windowSlots, slot)
        .rotation(rotation)
        .maxKeys(nodeCap)
        .maxBytes(bytes)
        .sampleBits(sampleBits)
        .decay(decayInterval, decayShift);
  }
}
