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

/** Builds a {@link ContestTable}; {@link #build} reports all invalid settings together. */
public final class ContestTableBuilder {
  static final int MAX_SLOTS = 10_000_000;
  static final Duration MAX_SPAN = Duration.ofDays(366);

  private static final Duration MIN_WINDOW = Duration.ofMillis(1);
  private static final int MAX_PROBES = 64;
  private static final int MAX_STRIPES = 256;
  private static final int DEFAULT_STRIPES = 16;
  private static final int MIN_SLOTS_PER_STRIPE = 32;

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

  /** Sets the most entries of the table: 1 to 10,000,000, 50,000 by default. */
  public ContestTableBuilder slots(int slots) {
    this.slots = slots;
    return this;
  }

  /** Sets the time in which a score decays by the factor e: 1 ms to 366 days, 1 min by default. */
  public ContestTableBuilder window(Duration window) {
    this.window = window;
    return this;
  }

  /**
   * Sets the number of random slots that a contest probes: up to 64, 4 by default; with 0 it probes
   * one slot, the next in turn.
   */
  public ContestTableBuilder probes(int probes) {
    this.probes = probes;
    return this;
  }

  /**
   * Sets the number of stripes: a power of two, at most 256 and at most the number of slots. By
   * default 16, or fewer so that each has at least 32 slots.
   */
  public ContestTableBuilder stripes(int stripes) {
    this.stripes = stripes;
    return this;
  }

  /** Sets how distinct values are counted; by default, and with null, they are not counted. */
  public ContestTableBuilder cardinality(@Nullable Cardinality cardinality) {
    this.cardinality = cardinality;
    return this;
  }

  /** Sets the rates to which {@link Tracked#charge} limits each key: up to 64, none by default. */
  public ContestTableBuilder rates(List<TokenRate> rates) {
    this.rates = List.copyOf(rates);
    return this;
  }

  /** Sets the ticker; by default that of the JVM, which costs about as much as a touch. */
  public ContestTableBuilder ticker(Ticker ticker) {
    this.ticker = ticker;
    return this;
  }

  /** Sets the secret of the hash of keys; a random one by default. */
  public ContestTableBuilder secret(HashSecret secret) {
    this.secret = secret;
    return this;
  }

  /** Sets the listener that receives evicted entries; none by default. */
  public ContestTableBuilder listener(EvictionListener listener) {
    this.listener = listener;
    return this;
  }

  /** Sets the source of the seeds of the stripes' random number generators. */
  ContestTableBuilder seeds(SecureRandom seeds) {
    this.seeds = seeds;
    return this;
  }

  /**
   * Returns the most bytes of a slot with a key of this length.
   *
   * @throws IllegalArgumentException if settings are invalid; the message names all of them
   */
  public long slotBytes(int keyLength) {
    return config().slotBytes(keyLength);
  }

  /**
   * Returns a new, empty table.
   *
   * @throws IllegalArgumentException if settings are invalid; the message names all of them
   */
  public ContestTable build() {
    return new ContestTable(this, config(), stripes == 0 ? defaultStripes() : stripes);
  }

  /**
   * Returns a table with these settings that replaces another one, which must not be used any more.
   *
   * <p>If only the number of slots differs, it is the other table, resized. Otherwise it is a new
   * table with the entries that have the highest scores, and with the counts. Its token buckets are
   * full, and bitmaps of another size are empty. Touches during the call may be lost.
   *
   * @throws IllegalArgumentException if settings are invalid, or the secret differs
   */
  public ContestTable resume(ContestTable before) {
    ContestConfig config = config();
    int count = stripes == 0 ? defaultStripes() : stripes;
    if (before.differsOnlyInSlots(this, config, count)) {
      before.resize(slots);
      return before;
    }
    var table = new ContestTable(this, config, count);
    table.copyFrom(before);
    return table;
  }

  /**
   * Returns a table with the entries of a stored snapshot, whose scores have decayed since then. If
   * there are too many entries, it has those with the highest scores. Bitmaps of another size are
   * empty.
   *
   * @param epochMillis the current wall time
   * @throws io.heatshield.snapshot.InvalidSnapshotException if the snapshot is truncated, changed,
   *     invalid, from the future, or made under another secret
   * @throws IllegalArgumentException if settings are invalid; the message names all of them
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
        DEFAULT_STRIPES, Integer.highestOneBit(Math.max(1, slots / MIN_SLOTS_PER_STRIPE)));
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
      faults.add("stripes must be at most the number of slots: " + stripes);
    }
    if (rates.size() > TokenBuckets.MAX_RATES) {
      faults.add("rates must be at most " + TokenBuckets.MAX_RATES + ": " + rates.size());
    }
    return faults;
  }
}
