package io.heatshield.contest;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.settings.Faults;
import io.heatshield.snapshot.InvalidSnapshotException;
import io.heatshield.time.Ticker;
import java.io.IOException;
import java.io.InputStream;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Builds a table of {@link HeavyHitters}, or restores one that was written. All invalid settings
 * are reported at once. Not thread-safe.
 */
public final class HeavyHittersBuilder {
  static final int MAX_KEYS = 10_000_000;
  static final Duration MAX_SPAN = Duration.ofDays(366);

  private static final Duration MIN_WINDOW = Duration.ofMillis(1);
  private static final int MAX_PROBES = 64;
  private static final int MAX_STRIPES = 256;

  private int maxKeys = 50_000;
  private int maxBlocks = 10_000;
  private Duration window = Duration.ofMinutes(1);
  private int probes = 4;
  private int stripes;
  private @Nullable DistinctSettings distinct;
  private final List<Rule> rules = new ArrayList<>();
  private @Nullable Predicate<? super byte[]> trusted;
  private @Nullable HeavyHittersListener listener;
  private Ticker ticker = Ticker.system();
  private @Nullable HashSecret secret;
  private SecureRandom seeds = new SecureRandom();

  HeavyHittersBuilder() {}

  /** Sets the most keys of the table: 1 to 10,000,000, 50,000 by default. */
  public HeavyHittersBuilder maxKeys(int keys) {
    maxKeys = keys;
    return this;
  }

  /** Sets the most keys that are blocked at a time: 1 to 10,000,000, 10,000 by default. */
  public HeavyHittersBuilder maxBlocks(int blocks) {
    maxBlocks = blocks;
    return this;
  }

  /** Sets the time in which a score decays by the factor e: 1 ms to 366 days, 1 min by default. */
  public HeavyHittersBuilder window(Duration decay) {
    window = Objects.requireNonNull(decay, "decay");
    return this;
  }

  /**
   * Sets how the distinct targets of each key are estimated; by default, and with null, they are
   * not.
   */
  public HeavyHittersBuilder distinct(@Nullable DistinctSettings settings) {
    distinct = settings;
    return this;
  }

  /** Adds a rule after those before; up to 64 may have a rate. */
  public HeavyHittersBuilder rule(Rule rule) {
    rules.add(Objects.requireNonNull(rule, "rule"));
    return this;
  }

  /**
   * Sets the keys that no rule acts on, which are counted like others; none by default. The
   * predicate is called with the bytes of keys that a rule is about to act on, without a lock.
   */
  public HeavyHittersBuilder trusted(Predicate<? super byte[]> keys) {
    trusted = Objects.requireNonNull(keys, "keys");
    return this;
  }

  /** Sets the listener for rules and evictions; none by default. */
  public HeavyHittersBuilder listener(HeavyHittersListener rulesListener) {
    listener = Objects.requireNonNull(rulesListener, "rulesListener");
    return this;
  }

  /**
   * Sets the number of random entries with which a new key of a full table is compared: up to 64, 4
   * by default; with 0 it is compared with one entry, the next in turn.
   */
  public HeavyHittersBuilder probes(int entries) {
    probes = entries;
    return this;
  }

  /**
   * Sets the number of parts with a lock of their own: a power of two up to 256. By default 16, or
   * fewer so that each has at least 32 keys.
   */
  public HeavyHittersBuilder stripes(int parts) {
    stripes = parts;
    return this;
  }

  /** Sets the ticker; by default that of the JVM, which costs about as much as a touch. */
  public HeavyHittersBuilder ticker(Ticker nanos) {
    ticker = Objects.requireNonNull(nanos, "nanos");
    return this;
  }

  /**
   * Sets the secret of the hash function of keys; a random one by default. A table that is written
   * and restored needs the same secret both times.
   */
  public HeavyHittersBuilder secret(HashSecret hashSecret) {
    secret = Objects.requireNonNull(hashSecret, "hashSecret");
    return this;
  }

  /**
   * Returns the most bytes of an entry with a key of this length.
   *
   * @throws io.heatshield.settings.InvalidSettingsException if settings are invalid; it names all
   *     of them
   */
  public long entryBytes(int keyLength) {
    faults().throwIfAny();
    return config().entryBytes(keyLength);
  }

  /**
   * Returns an empty table.
   *
   * @throws io.heatshield.settings.InvalidSettingsException if settings are invalid; it names all
   *     of them
   */
  public HeavyHitters build() {
    faults().throwIfAny();
    return new HeavyHitters(this, secret == null ? HashSecret.random() : secret);
  }

  /**
   * Returns the table that {@link HeavyHitters#writeTo} wrote, with this builder's settings. Scores
   * have decayed, and blocks have ended, by the time since then. If there are too many keys or
   * blocks, it has the highest scores and the longest blocks. Token buckets are full, and bitmaps
   * of another size are empty. Does not close the stream.
   *
   * @param wallTime the current wall time
   * @throws InvalidSnapshotException if the bytes are incomplete, were changed, are no table, are
   *     from the future, or are of another secret
   * @throws io.heatshield.settings.InvalidSettingsException if settings are invalid; it names all
   *     of them
   */
  public HeavyHitters restore(InputStream in, Instant wallTime) throws IOException {
    HeavyHitters table = build();
    table.restoreKeys(in, wallTime);
    int unused = table.restoreBlocks(in, wallTime);
    return table;
  }

  /** Sets the source of the seeds of random number generators. */
  HeavyHittersBuilder seeds(SecureRandom source) {
    seeds = source;
    return this;
  }

  /** Returns a new table of keys, which applies no rules. */
  ContestTable keys(HashSecret hashSecret, Consumer<Tracked> onEvicted) {
    KeyHash hash = KeyHash.fast(hashSecret);
    var context = new ContestContext(hash, KeyHash.sip13(hashSecret), ticker, seeds, onEvicted);
    return new ContestTable(config(), maxKeys, context);
  }

  /** Returns a new table of blocks. */
  BlockTable blocks(HashSecret hashSecret) {
    return new BlockTable(maxBlocks, KeyHash.fast(hashSecret), KeyHash.sip13(hashSecret), ticker);
  }

  ContestConfig config() {
    long windowNanos = window.toNanos();
    return new ContestConfig(
        windowNanos, probes, stripes, distinct, Rules.buckets(rules), new Decay(windowNanos));
  }

  /** Throws if a secret is set and is not that of a function. */
  void requireSecretOf(KeyHash hash) {
    if (secret != null && KeyHash.fast(secret).fingerprint() != hash.fingerprint()) {
      throw new IllegalArgumentException("secret must be the secret of the table");
    }
  }

  List<Rule> rules() {
    return rules;
  }

  int maxKeys() {
    return maxKeys;
  }

  int maxBlocks() {
    return maxBlocks;
  }

  @Nullable Predicate<? super byte[]> trusted() {
    return trusted;
  }

  @Nullable HeavyHittersListener listener() {
    return listener;
  }

  Faults faults() {
    var faults = new Faults();
    faults.checkRange("maxKeys", maxKeys, 1, MAX_KEYS);
    faults.checkRange("maxBlocks", maxBlocks, 1, MAX_KEYS);
    faults.checkRange("window", window, MIN_WINDOW, MAX_SPAN);
    faults.checkRange("probes", probes, 0, MAX_PROBES);
    faults.check(
        stripes == 0 || (stripes > 0 && stripes <= MAX_STRIPES && Integer.bitCount(stripes) == 1),
        "stripes must be a power of two up to " + MAX_STRIPES,
        stripes);
    long rates = rules.stream().filter(rule -> rule.bucketRate() != null).count();
    faults.check(
        rates <= TokenBuckets.MAX_RATES,
        "rules with a rate must be at most " + TokenBuckets.MAX_RATES,
        rates);
    for (int i = 0; i < rules.size(); i++) {
      checkRule(rules.get(i), i, faults);
    }
    return faults;
  }

  private void checkRule(Rule rule, int index, Faults faults) {
    faults.check(
        rules.subList(0, index).stream().noneMatch(other -> other.name().equals(rule.name())),
        "rules must have different names",
        rule.name());
    if (rule.distinctAbove() < 0) {
      return;
    }
    if (distinct == null) {
      faults.add("distinct must be set for the targets of rule " + rule.name() + ": null");
    } else {
      faults.check(
          rule.distinctAbove() < distinct.most(),
          "targets of rule "
              + rule.name()
              + " must be below "
              + distinct.most()
              + ", the most that "
              + distinct.bits()
              + " bits can count",
          rule.distinctAbove());
    }
  }
}
