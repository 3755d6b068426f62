package io.heatshield.ring;

import io.heatshield.action.WhenFull;
import io.heatshield.hash.HashSecret;
import io.heatshield.key.KeyForm;
import io.heatshield.settings.Faults;
import io.heatshield.time.Ticker;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link HotRing}. All invalid settings are reported at once.
 *
 * <p>A value of 0 disables the window, decay (interval or shift), rotation, either limit of memory,
 * and sampling. Not thread-safe.
 */
public final class HotRingBuilder {
  static final int MAX_SLOTS = 64;
  static final int MAX_KEYS = 1 << 29;
  private static final int DEFAULT_SLOTS = 8;
  private static final Duration MIN_DURATION = Duration.ofMillis(1);
  private static final Duration MAX_DURATION = Duration.ofDays(365);

  private int bits = 12;
  private int slots = DEFAULT_SLOTS;
  private Duration slot = Duration.ofMillis(250);
  private Duration decayInterval = Duration.ZERO;
  private int decayShift;
  private Duration rotation = Duration.ofMinutes(30);
  private int maxKeys = 250_000;
  private long maxBytes;
  private int sampleBits;
  private ClampPolicy clampPolicy = ClampPolicy.ADMITS_N;
  private WhenFull whenFull = WhenFull.ADMIT;
  private Ticker ticker = Ticker.system();
  private HashSecret secret = HashSecret.random();
  private @Nullable RingListener listener;
  private Consumer<String> warnings = warning -> {};

  HotRingBuilder() {}

  /**
   * Sets the initial number of cells of the table to 2<sup>bits</sup>: 1 to 20, 12 by default. The
   * table has fewer cells if the limits allow less than a quarter as many keys.
   */
  public HotRingBuilder bits(int initialBits) {
    bits = initialBits;
    return this;
  }

  /** Sets the window, at least 8 ms, in 8 equal slots; 2 s by default. */
  public HotRingBuilder window(Duration window) {
    return window(DEFAULT_SLOTS, window.dividedBy(DEFAULT_SLOTS));
  }

  /** Sets the window: at most 64 slots of at least 1 ms each; 8 of 250 ms by default. */
  public HotRingBuilder window(int slotsOfWindow, Duration slotLength) {
    slots = slotsOfWindow;
    slot = Objects.requireNonNull(slotLength, "slotLength");
    return this;
  }

  /** Sets how often counts are shifted right, and by how many bits; off by default. */
  public HotRingBuilder decay(Duration interval, int shift) {
    decayInterval = Objects.requireNonNull(interval, "interval");
    decayShift = shift;
    return this;
  }

  /** Sets how long a generation is active: at least the window; 30 min by default. */
  public HotRingBuilder rotation(Duration interval) {
    rotation = Objects.requireNonNull(interval, "interval");
    return this;
  }

  /**
   * Sets the most keys of a generation; 250,000 by default. Both generations together have at most
   * twice as many.
   */
  public HotRingBuilder maxKeys(int keys) {
    maxKeys = keys;
    return this;
  }

  /** Sets the most bytes of the entries of both generations together; off by default. */
  public HotRingBuilder maxBytes(long bytes) {
    maxBytes = bytes;
    return this;
  }

  /**
   * Sets the share of new keys that a full ring admits without comparing them with a cold key: one
   * of 2<sup>bits</sup>, selected by the keyed hash. 1 to 31; 0, the default, for none.
   */
  public HotRingBuilder sampleBits(int shareBits) {
    sampleBits = shareBits;
    return this;
  }

  /**
   * Sets the answer to a limited call of a key that a full ring does not hold; {@link
   * WhenFull#ADMIT} by default.
   */
  public HotRingBuilder whenFull(WhenFull answer) {
    whenFull = Objects.requireNonNull(answer, "answer");
    return this;
  }

  /** Sets the call that a limit refuses first; {@link ClampPolicy#ADMITS_N} by default. */
  public HotRingBuilder clampPolicy(ClampPolicy policy) {
    clampPolicy = Objects.requireNonNull(policy, "policy");
    return this;
  }

  /** Sets the ticker; by default that of the JVM, whose reading takes longer than a touch. */
  public HotRingBuilder ticker(Ticker nanos) {
    ticker = Objects.requireNonNull(nanos, "nanos");
    return this;
  }

  /** Sets the secret of the hash functions; a random one by default. */
  public HotRingBuilder secret(HashSecret hashSecret) {
    secret = Objects.requireNonNull(hashSecret, "hashSecret");
    return this;
  }

  /** Sets the listener for touches and limited calls; none by default. */
  public HotRingBuilder listener(RingListener ringListener) {
    listener = Objects.requireNonNull(ringListener, "ringListener");
    return this;
  }

  /** Sets a receiver of a message for each setting that has no effect because of another one. */
  public HotRingBuilder onWarning(Consumer<String> consumer) {
    warnings = Objects.requireNonNull(consumer, "consumer");
    return this;
  }

  /**
   * Returns an empty ring.
   *
   * @throws io.heatshield.settings.InvalidSettingsException if settings are invalid; it names all
   *     of them
   */
  public HotRing build() {
    RingConfig config = config();
    warn();
    return new HotRing(new EntryTable(config, secret, ticker, listener));
  }

  /**
   * Returns the most memory that the ring of these settings takes, whatever the keys are; {@link
   * Long#MAX_VALUE} if it has no limit.
   *
   * @throws io.heatshield.settings.InvalidSettingsException if settings are invalid
   */
  public long bytes() {
    RingConfig config = config();
    long keys = maxKeys == 0 ? Long.MAX_VALUE : maxKeys * (rotation.isZero() ? 1L : 2L);
    long longest = config.entryBytes(KeyForm.FOLDED_BYTES);
    long ofKeys = keys > Long.MAX_VALUE / longest ? Long.MAX_VALUE : keys * longest;
    long entries = maxBytes == 0 ? ofKeys : Math.min(ofKeys, maxBytes);
    return entries == Long.MAX_VALUE ? entries : entries + config.initialBytes();
  }

  private RingConfig config() {
    faults().throwIfAny();
    Duration period = hasWindow() ? slot : hasDecay() ? decayInterval : Duration.ZERO;
    return new RingConfig(
        bits,
        hasWindow() ? slots : 0,
        period.toNanos(),
        decayShift,
        rotation.toNanos(),
        maxKeys,
        maxBytes,
        isLimited() ? sampleBits : 0,
        clampPolicy,
        whenFull);
  }

  private boolean hasWindow() {
    return slots != 0 && !slot.isZero();
  }

  private boolean hasDecay() {
    return decayShift != 0 && !decayInterval.isZero();
  }

  private boolean isLimited() {
    return maxKeys > 0 || maxBytes > 0;
  }

  private void warn() {
    if (hasWindow() && hasDecay()) {
      warnings.accept(
          "decay is off because the window is on: " + decayInterval + " by " + decayShift);
    }
    if (sampleBits > 0 && !isLimited()) {
      warnings.accept("sampling is off because the memory has no limit: sampleBits " + sampleBits);
    }
  }

  private Faults faults() {
    var faults = new Faults();
    faults.checkRange("bits", bits, 1, 20);
    faults.checkRange("slots", slots, 0, MAX_SLOTS);
    checkDuration(faults, "slot", slot);
    checkDuration(faults, "decayInterval", decayInterval);
    faults.checkRange("decayShift", decayShift, 0, 62);
    checkDuration(faults, "rotation", rotation);
    faults.checkRange("maxKeys", maxKeys, 0, MAX_KEYS);
    faults.checkRange("sampleBits", sampleBits, 0, 31);
    faults.check(maxBytes >= 0, "maxBytes must not be negative", maxBytes);
    if (slots >= 1 && slots <= MAX_SLOTS && isAllowed(slot) && isAllowed(rotation)) {
      Duration window = slot.multipliedBy(slots);
      faults.check(
          rotation.compareTo(window) >= 0,
          "rotation must be 0 or at least the window of " + window,
          rotation);
    }
    return faults;
  }

  private static boolean isAllowed(Duration value) {
    return value.compareTo(MIN_DURATION) >= 0 && value.compareTo(MAX_DURATION) <= 0;
  }

  private static void checkDuration(Faults faults, String name, Duration value) {
    faults.check(
        value.isZero() || isAllowed(value),
        name + " must be 0 or PT0.001S to " + MAX_DURATION,
        value);
  }
}
