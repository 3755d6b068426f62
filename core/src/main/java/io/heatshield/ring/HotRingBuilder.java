package io.heatshield.ring;

import io.heatshield.hash.HashSecret;
import io.heatshield.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A builder of {@link HotRing}s. {@link #build} checks all settings together.
 *
 * <p>A value of 0 disables the window (slots or slot), decay (interval or shift), rotation, either
 * cap, and sampling. Not safe for use by several threads.
 */
public final class HotRingBuilder {
  static final int MAX_SLOTS = 64;
  static final int MAX_CAP = 1 << 29;
  private static final Duration MIN_DURATION = Duration.ofMillis(1);
  private static final Duration MAX_DURATION = Duration.ofDays(365);

  private int bits = 12;
  private int top = 16;
  private int slots = 8;
  private Duration slot = Duration.ofMillis(250);
  private Duration decayInterval = Duration.ZERO;
  private int decayShift;
  private Duration rotation = Duration.ofMinutes(30);
  private int cap = 250_000;
  private long capBytes;
  private int sampleBits;
  private ClampPolicy policy = ClampPolicy.ADMITS_N;
  private Ticker ticker = Ticker.system();
  private @Nullable HashSecret secret;
  private @Nullable RingObserver observer;

  HotRingBuilder() {}

  /**
   * Sets the initial number of cells of the table to 2<sup>bits</sup>: 1 to 20, 12 by default. The
   * table has fewer cells if the caps allow less than a quarter as many keys.
   */
  public HotRingBuilder bits(int bits) {
    this.bits = bits;
    return this;
  }

  /** Sets how many keys {@link HotRing#top()} lists: 1 to 65,536, 16 by default. */
  public HotRingBuilder top(int top) {
    this.top = top;
    return this;
  }

  /** Sets the window: at most 64 slots of at least 1 ms each; 8 of 250 ms by default. */
  public HotRingBuilder window(int slots, Duration slot) {
    this.slots = slots;
    this.slot = slot;
    return this;
  }

  /** Sets how often counts are shifted right, and by how many bits; off by default. */
  public HotRingBuilder decay(Duration interval, int shift) {
    decayInterval = interval;
    decayShift = shift;
    return this;
  }

  /** Sets how long a generation is active: at least the window; 30 min by default. */
  public HotRingBuilder rotation(Duration rotation) {
    this.rotation = rotation;
    return this;
  }

  /** Sets the most keys of a generation; 250,000 by default. */
  public HotRingBuilder cap(int cap) {
    this.cap = cap;
    return this;
  }

  /** Sets the most bytes of the entries of both generations together; off by default. */
  public HotRingBuilder capBytes(long capBytes) {
    this.capBytes = capBytes;
    return this;
  }

  /**
   * Sets the share of new keys that a full ring admits without comparing them with a cold key: one
   * of 2<sup>bits</sup>, selected by the keyed hash. 1 to 31; 0, the default, for none.
   */
  public HotRingBuilder sampleBits(int sampleBits) {
    this.sampleBits = sampleBits;
    return this;
  }

  /** Sets the call that a clamp limits first; {@link ClampPolicy#ADMITS_N} by default. */
  public HotRingBuilder clampPolicy(ClampPolicy policy) {
    this.policy = policy;
    return this;
  }

  /** Sets the ticker; by default that of the JVM, whose reading takes longer than a touch. */
  public HotRingBuilder ticker(Ticker ticker) {
    this.ticker = ticker;
    return this;
  }

  /** Sets the secret of the hash functions; a random one by default. */
  public HotRingBuilder secret(HashSecret secret) {
    this.secret = secret;
    return this;
  }

  /** Sets the listener for touches, clamps and decay; none by default. */
  public HotRingBuilder observer(RingObserver observer) {
    this.observer = observer;
    return this;
  }

  /** Returns a message for each setting that has no effect because of another setting. */
  public List<String> remarks() {
    var remarks = new ArrayList<String>();
    if (hasWindow() && hasDecay()) {
      remarks.add("decay is off because the window is on: " + decayInterval + " by " + decayShift);
    }
    if (sampleBits > 0 && cap == 0 && capBytes == 0) {
      remarks.add("sampling is off because there is no cap: sampleBits " + sampleBits);
    }
    return remarks;
  }

  /**
   * Returns the ring.
   *
   * @throws IllegalArgumentException if settings are invalid; the message lists all of them
   */
  public HotRing build() {
    var faults = faults();
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", faults));
    }
    Duration period = hasWindow() ? slot : hasDecay() ? decayInterval : Duration.ZERO;
    var config =
        new RingConfig(
            bits,
            top,
            hasWindow() ? slots : 0,
            period.toNanos(),
            decayShift,
            rotation.toNanos(),
            cap,
            capBytes,
            cap == 0 && capBytes == 0 ? 0 : sampleBits,
            policy);
    HashSecret ringSecret = secret == null ? HashSecret.random() : secret;
    return new HotRing(new EntryTable(config, ringSecret, ticker, observer));
  }

  HotRingBuilder forValueLogRouting() {
    return window(6, Duration.ofMillis(100)).rotation(Duration.ofMinutes(10)).cap(200_000);
  }

  private boolean hasWindow() {
    return slots != 0 && !slot.isZero();
  }

  private boolean hasDecay() {
    return decayShift != 0 && !decayInterval.isZero();
  }

  private List<String> faults() {
    var faults = new ArrayList<String>();
    checkRange(faults, "bits", bits, 1, 20);
    checkRange(faults, "top", top, 1, 65_536);
    checkRange(faults, "slots", slots, 0, MAX_SLOTS);
    checkDuration(faults, "slot", slot);
    checkDuration(faults, "decayInterval", decayInterval);
    checkRange(faults, "decayShift", decayShift, 0, 62);
    checkDuration(faults, "rotation", rotation);
    checkRange(faults, "cap", cap, 0, MAX_CAP);
    checkRange(faults, "sampleBits", sampleBits, 0, 31);
    if (capBytes < 0) {
      faults.add("capBytes must not be negative: " + capBytes);
    }
    checkWindow(faults);
    return faults;
  }

  private void checkWindow(List<String> faults) {
    if (slots < 1 || slots > MAX_SLOTS || !isAllowed(slot) || !isAllowed(rotation)) {
      return;
    }
    Duration window = slot.multipliedBy(slots);
    if (rotation.compareTo(window) < 0) {
      faults.add("rotation must be 0 or at least the window of " + window + ": " + rotation);
    }
  }

  private static void checkRange(List<String> faults, String name, int value, int min, int max) {
    if (value < min || value > max) {
      faults.add(name + " must be " + min + " to " + max + ": " + value);
    }
  }

  private static boolean isAllowed(Duration value) {
    return value.compareTo(MIN_DURATION) >= 0 && value.compareTo(MAX_DURATION) <= 0;
  }

  private static void checkDuration(List<String> faults, String name, Duration value) {
    if (!value.isZero() && !isAllowed(value)) {
      faults.add(name + " must be 0 or PT0.001S to " + MAX_DURATION + ": " + value);
    }
  }
}
