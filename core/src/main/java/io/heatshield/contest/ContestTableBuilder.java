package io.heatshield.contest;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.time.Ticker;
import java.io.IOException;
import java.io.InputStream;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Settings of a {@link ContestTable}; not for use by several threads. */
public final class ContestTableBuilder {
  static final int MAX_SLOTS = 10_000_000;
  static final Duration MAX_SPAN = Duration.ofDays(366);

  private static final Duration MIN_WINDOW = Duration.ofMillis(1);
  private static final int MAX_PROBES = 64;
  private static final int MAX_STRIPES = 256;
  private static final int DEFAULT_STRIPES = 16;
  private static final int LEAST_SLOTS_PER_STRIPE = 32;

  private int slots = 50_000;
  private Duration window = Duration.ofMinutes(1);
  private int probes = 4;
  private int stripes;
  private @Nullable Cardinality cardinality;
  private List<TokenRate> rates = List.of();
  private Ticker ticker = Ticker.system();
  private HashSecret secret = HashSecret.random();
  private SecureRandom seeds = new SecureRandom();
  private @Nullable EvictionListener listener;

  ContestTableBuilder() {}

  /** Sets the entries that the table holds at most: 1 to 10,000,000, 50,000 by default. */
  public ContestTableBuilder slots(int slots) {
    this.slots = slots;
    return this;
  }

  /** Sets the time in which a score fades by the factor e: 1 ms to 366 days, 1 min by default. */
  public ContestTableBuilder window(Duration window) {
    this.window = window;
    return this;
  }

  /** Sets the slots that a contest looks at by chance: up to 64, 4 by default; 0 goes in turn. */
  public ContestTableBuilder probes(int probes) {
    this.probes = probes;
    return this;
  }

  /**
   * Sets the number of stripes: a power of two, at most 256 and the slots; by default 16, or as
   * many as have 32 slots each.
   */
  public ContestTableBuilder stripes(int stripes) {
    this.stripes = stripes;
    return this;
  }

  /** Sets how distinct values are counted; they are not by default, and cost nothing. */
  public ContestTableBuilder cardinality(@Nullable Cardinality cardinality) {
    this.cardinality = cardinality;
    return this;
  }

  /** Sets the rates that {@link Tracked#charge} holds each key to: up to 64, none by default. */
  public ContestTableBuilder rates(List<TokenRate> rates) {
    this.rates = List.copyOf(rates);
    return this;
  }

  /** Sets the ticker; that of the JVM by default, which costs about as much as a touch. */
  public ContestTableBuilder ticker(Ticker ticker) {
    this.ticker = ticker;
    return this;
  }

  /** Sets the secret that keys are hashed with; a random one by default. */
  public ContestTableBuilder secret(HashSecret secret) {
    this.secret = secret;
    return this;
  }

  /** Sets who hears of evictions; nobody by default. */
  public ContestTableBuilder listener(EvictionListener listener) {
    this.listener = listener;
    return this;
  }

  /** Sets where the stripes' generators take their seeds from. */
  ContestTableBuilder seeds(SecureRandom seeds) {
    this.seeds = seeds;
    return this;
  }

  /**
   * Returns the bytes that a slot with a key of this length takes at most.
   *
   * @throws IllegalArgumentException if settings are wrong
   */
  public long slotBytes(int keyLength) {
    return config().slotBytes(keyLength);
  }

  /**
   * Returns the table, empty.
   *
   * @throws IllegalArgumentException if settings are wrong; the message names them all
   */
  public ContestTable build() {
    return new ContestTable(this, config(), stripes == 0 ? defaultStripes() : stripes);
  }

  /**
   * Returns a table that goes on where another one is, which is used no more. If nothing but the
   * number of slots differs, it is that table itself, resized; else a new one with the entries that
   * have the highest scores and with its counts, but with full token buckets, and with new bitmaps
   * if they have another size. Touches during the call may be lost.
   *
   * @throws IllegalArgumentException if settings are wrong, or the secret is another
   */
  public ContestTable resume(ContestTable before) {
    ContestConfig config = config();
    int wanted = stripes == 0 ? defaultStripes() : stripes;
    if (before.isLike(this, config, wanted)) {
      before.resize(slots);
      return before;
    }
    var table = new ContestTable(this, config, wanted);
    table.takeOver(before);
    return table;
  }

  /**
   * Returns a table with the entries of a stored snapshot, faded by the time since. If there are
   * too many, those with the highest scores are in it. Bitmaps of another size begin anew.
   *
   * @param epochMillis the present wall time
   * @throws io.heatshield.snapshot.InvalidSnapshotException if it is not whole, not unchanged, not
   *     possible, from the future, or made under another secret
   * @throws IllegalArgumentException if settings are wrong
   */
  public ContestTable load(InputStream in, long epochMillis) throws IOException {
    ContestTable table = build();
    ContestSnapshot.restore(in, epochMillis, this, table);
    return table;
  }

  KeyHash hash() {
    return KeyHash.fast(secret);
  }

  Ticker ticker() {
    return ticker;
  }

  @Nullable EvictionListener listener() {
    return listener;
  }

  SecureRandom seeds() {
    return seeds;
  }

  int slots() {
    return slots;
  }

  long windowNanos() {
    return window.toNanos();
  }

  private ContestConfig config() {
    var faults = faults();
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", faults));
    }
    long windowNanos = window.toNanos();
    return new ContestConfig(
        windowNanos,
        probes,
        cardinality,
        new TokenBuckets(rates),
        KeyHash.sip13(secret),
        new Decay(windowNanos));
  }

  private int defaultStripes() {
    return Math.min(
        DEFAULT_STRIPES, Integer.highestOneBit(Math.max(1, slots / LEAST_SLOTS_PER_STRIPE)));
  }

  private List<String> faults() {
    var faults = new ArrayList<String>();
    if (slots < 1 || slots > MAX_SLOTS) {
      faults.add("slots must be 1 to " + MAX_SLOTS + ": " + slots);
    }
    if (window.compareTo(MIN_WINDOW) < 0 || window.compareTo(MAX_SPAN) > 0) {
      faults.add("window must be PT0.001S to " + MAX_SPAN + ": " + window);
    }
    if (probes < 0 || probes > MAX_PROBES) {
      faults.add("probes must be 0 to " + MAX_PROBES + ": " + probes);
    }
    if (stripes != 0 && (Integer.bitCount(stripes) != 1 || stripes < 0 || stripes > MAX_STRIPES)) {
      faults.add("stripes must be a power of two up to " + MAX_STRIPES + ": " + stripes);
    } else if (stripes > slots) {
      faults.add("stripes must be at most the slots: " + stripes);
    }
    if (rates.size() > TokenBuckets.MOST_RULES) {
      faults.add("rates must be at most " + TokenBuckets.MOST_RULES + ": " + rates.size());
    }
    return faults;
  }
}
