package io.heatshield.contest;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.key.KeyForm;
import io.heatshield.snapshot.InvalidSnapshotException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The keys with the highest rates out of any number of keys, in bounded memory, with rules that
 * block them: for example the worst clients of a service.
 *
 * <pre>{@code
 * HeavyHitters clients =
 *     HeavyHitters.builder()
 *         .maxKeys(10_000)
 *         .window(ofSeconds(30))
 *         .distinct(DistinctSettings.DEFAULT)
 *         .rule(Rule.rate("flood", perSecond(50)).block(ofSeconds(5)))
 *         .rule(Rule.distinct("scan", 90).block(ofMinutes(1)))
 *         .build();
 *
 * Decision d = clients.touch(client, path);
 * if (d.refused()) {
 *   throw new TooManyRequests(d.retryAfter());
 * }
 * }</pre>
 *
 * <p><b>Keys</b>. An array, the remaining bytes of a buffer, the UTF-8 of a text and the decimal
 * digits of a number are the same key if they have the same bytes. A <b>target</b> is what a key
 * was used for, such as a path; the table estimates how many distinct targets a key has, if {@link
 * HeavyHittersBuilder#distinct} is set, and ignores targets otherwise.
 *
 * <p><b>Score</b>: an EWMA. A touch adds its weight to the key's score, which decays by the factor
 * e in each window; the rate is the score divided by the window.
 *
 * <p><b>Contest</b>. A full table, the contest table of the design, gives a new key an entry if it
 * is touched more often than the coldest of a few entries. The score of such a key may be too high,
 * by {@link KeyScore#rateError}, never too low. A touch of a key that gets no entry is only counted
 * in {@link ContestStats#untracked}, and meets no rule.
 *
 * <p><b>Rules</b>. A touch of a key that is not blocked counts for every rule. The rules that it
 * meets then act in order; the first that blocks ends this, and its touch is refused. Touches of a
 * blocked key are refused and not counted, until the block ends. Blocks have a table of their own:
 * a flood of other keys does not end a block. If it is full, further keys are not blocked, which is
 * reported and counted in {@link BlockStats#refused}.
 *
 * <p><b>Memory</b>: at most {@link #entryBytes} for each of the {@code maxKeys}, plus for each of
 * the {@code maxBlocks} at most {@link #blockBytes}, twice with rules in observe. A key over 512
 * bytes is stored as its first 512 bytes, its length and a second hash.
 *
 * <p>Any thread may call any method. A touch takes the lock of one of several stripes. Methods that
 * read the whole table lock one stripe after the other. A touch of a key that has an entry and
 * meets no rule allocates nothing, unless the key is a number.
 */
public final class HeavyHitters {
  /*
   * now      volatile; read once by each call, replaced as a whole under this object's monitor when
   *          settings change. A touch that races the replacement may be lost with the table of keys
   *          that was replaced.
   * blocks   kept for the life of the table, like observed, so that no change ends a block
   */
  private final KeyHash hash;
  private final BlockTable blocks;
  private final LongAdder faults = new LongAdder();
  private final HashedHeavyHitters hashed = new HashedHeavyHitters(this);
  private volatile RuledTable now;

  HeavyHitters(HeavyHittersBuilder settings, HashSecret secret) {
    hash = KeyHash.fast(secret);
    blocks = settings.blocks(secret);
    now =
        new RuledTable(
            settings.keys(secret, this::onEvicted),
            new Rules(settings.rules(), null),
            blocks,
            settings.blocks(secret),
            callbacks(settings));
  }

  /** Returns a builder. */
  public static HeavyHittersBuilder builder() {
    return new HeavyHittersBuilder();
  }

  /** Counts a touch of a key, and returns whether a rule refuses it. */
  public Decision touch(byte[] key) {
    return now.touch(KeyForm.BYTES, key, hash.hash(key), 1, List.of());
  }

  /** Counts a touch of a key, and returns whether a rule refuses it. */
  public Decision touch(ByteBuffer key) {
    return now.touch(KeyForm.BUFFER, key, hash.hash(key), 1, List.of());
  }

  /** Counts a touch of a key, and returns whether a rule refuses it. */
  public Decision touch(CharSequence key) {
    return now.touch(KeyForm.TEXT, key, hash.hash(key), 1, List.of());
  }

  /** Counts a touch of a key, and returns whether a rule refuses it. */
  public Decision touch(long key) {
    return now.touch(KeyForm.NUMBER, key, hash.hash(key), 1, List.of());
  }

  /** Counts a touch of a key with a target, and returns whether a rule refuses it. */
  public Decision touch(byte[] key, CharSequence target) {
    return touch(key, 1, List.of(target));
  }

  /** Counts a touch of a key with a target, and returns whether a rule refuses it. */
  public Decision touch(ByteBuffer key, CharSequence target) {
    return touch(key, 1, List.of(target));
  }

  /** Counts a touch of a key with a target, and returns whether a rule refuses it. */
  public Decision touch(CharSequence key, CharSequence target) {
    return touch(key, 1, List.of(target));
  }

  /** Counts a touch of a key with a target, and returns whether a rule refuses it. */
  public Decision touch(long key, CharSequence target) {
    return touch(key, 1, List.of(target));
  }

  /**
   * Counts a touch of a key, and returns whether a rule refuses it.
   *
   * @param weight the number of touches that it counts as, at least 1
   * @param targets any number of targets
   */
  public Decision touch(byte[] key, long weight, Collection<? extends CharSequence> targets) {
    return now.touch(KeyForm.BYTES, key, hash.hash(key), weight, targets);
  }

  /** Counts a touch of a key, as {@link #touch(byte[], long, Collection)} does. */
  public Decision touch(ByteBuffer key, long weight, Collection<? extends CharSequence> targets) {
    return now.touch(KeyForm.BUFFER, key, hash.hash(key), weight, targets);
  }

  /** Counts a touch of a key, as {@link #touch(byte[], long, Collection)} does. */
  public Decision touch(CharSequence key, long weight, Collection<? extends CharSequence> targets) {
    return now.touch(KeyForm.TEXT, key, hash.hash(key), weight, targets);
  }

  /** Counts a touch of a key, as {@link #touch(byte[], long, Collection)} does. */
  public Decision touch(long key, long weight, Collection<? extends CharSequence> targets) {
    return now.touch(KeyForm.NUMBER, key, hash.hash(key), weight, targets);
  }

  /** Returns whether a key is blocked; counts nothing. */
  public Decision check(byte[] key) {
    return now.check(KeyForm.BYTES, key, hash.hash(key));
  }

  /** Returns whether a key is blocked; counts nothing. */
  public Decision check(ByteBuffer key) {
    return now.check(KeyForm.BUFFER, key, hash.hash(key));
  }

  /** Returns whether a key is blocked; counts nothing. */
  public Decision check(CharSequence key) {
    return now.check(KeyForm.TEXT, key, hash.hash(key));
  }

  /** Returns whether a key is blocked; counts nothing. */
  public Decision check(long key) {
    return now.check(KeyForm.NUMBER, key, hash.hash(key));
  }

  /** Returns a copy of the entry of a key, if it has one. */
  public Optional<KeyScore> find(byte[] key) {
    return copy(now.keys().find(KeyForm.BYTES, key, hash.hash(key)));
  }

  /** Returns a copy of the entry of a key, if it has one. */
  public Optional<KeyScore> find(ByteBuffer key) {
    return copy(now.keys().find(KeyForm.BUFFER, key, hash.hash(key)));
  }

  /** Returns a copy of the entry of a key, if it has one. */
  public Optional<KeyScore> find(CharSequence key) {
    return copy(now.keys().find(KeyForm.TEXT, key, hash.hash(key)));
  }

  /** Returns a copy of the entry of a key, if it has one. */
  public Optional<KeyScore> find(long key) {
    return copy(now.keys().find(KeyForm.NUMBER, key, hash.hash(key)));
  }

  /** Removes a key with its counts, and returns them; its block, if any, remains. */
  public Optional<KeyScore> remove(byte[] key) {
    return copy(now.keys().remove(KeyForm.BYTES, key, hash.hash(key)));
  }

  /** Removes a key, as {@link #remove(byte[])} does. */
  public Optional<KeyScore> remove(ByteBuffer key) {
    return copy(now.keys().remove(KeyForm.BUFFER, key, hash.hash(key)));
  }

  /** Removes a key, as {@link #remove(byte[])} does. */
  public Optional<KeyScore> remove(CharSequence key) {
    return copy(now.keys().remove(KeyForm.TEXT, key, hash.hash(key)));
  }

  /** Removes a key, as {@link #remove(byte[])} does. */
  public Optional<KeyScore> remove(long key) {
    return copy(now.keys().remove(KeyForm.NUMBER, key, hash.hash(key)));
  }

  /**
   * Ends the block of a key and removes its counts, which would block it again at its next touch.
   * Returns false, and does nothing, if the key is not blocked.
   */
  public boolean unblock(byte[] key) {
    return now.unblock(KeyForm.BYTES, key, hash.hash(key));
  }

  /** Ends the block of a key, as {@link #unblock(byte[])} does. */
  public boolean unblock(ByteBuffer key) {
    return now.unblock(KeyForm.BUFFER, key, hash.hash(key));
  }

  /** Ends the block of a key, as {@link #unblock(byte[])} does. */
  public boolean unblock(CharSequence key) {
    return now.unblock(KeyForm.TEXT, key, hash.hash(key));
  }

  /** Ends the block of a key, as {@link #unblock(byte[])} does. */
  public boolean unblock(long key) {
    return now.unblock(KeyForm.NUMBER, key, hash.hash(key));
  }

  /** Returns copies of the {@code n} entries with the highest scores, highest first. */
  public List<KeyScore> top(int n) {
    return now.keys().top(n);
  }

  /** Returns copies of all blocks, the longest first, also of rules that are not in effect now. */
  public List<BlockedKey> blocked() {
    Rules rules = now.rules();
    return blocks.blocks().stream()
        .map(
            block -> {
              Rules.ActiveRule active = rules.find(block.tag());
              return block.withRule(active == null ? null : active.rule.name());
            })
        .toList();
  }

  /** Returns the statistics of the table. */
  public HeavyHittersStats stats() {
    RuledTable table = now;
    return new HeavyHittersStats(
        table.keys().stats(),
        blocks.stats(),
        table.observed().stats().size(),
        table.rules().stats(),
        faults.sum());
  }

  /** Returns the most bytes of an entry with a key of this length. */
  public long entryBytes(int keyLength) {
    return now.keys().entryBytes(keyLength);
  }

  /** Returns the most bytes of the block of a key of this length. */
  public static long blockBytes(int keyLength) {
    return BlockTable.slotBytes(keyLength);
  }

  /**
   * Changes the maximum number of keys, as {@link #reconfigure} does. If there are more keys, those
   * with the lowest scores are evicted.
   *
   * @throws IllegalArgumentException if it is not 1 to 10,000,000
   */
  public synchronized void resize(int maxKeys) {
    if (maxKeys < 1 || maxKeys > HeavyHittersBuilder.MAX_KEYS) {
      throw new IllegalArgumentException(
          "maxKeys must be 1 to " + HeavyHittersBuilder.MAX_KEYS + ": " + maxKeys);
    }
    now = now.with(now.keys().resized(maxKeys));
  }

  /**
   * Replaces all settings but the ticker and the secret. Keys keep their scores and distinct
   * targets, blocks remain, and counts continue. Token buckets stay as they are if only the number
   * of keys, trusted keys, the listener, and modes, names or block times of rules differ; otherwise
   * they are full afterwards, also if there is another number of stripes.
   *
   * @throws io.heatshield.settings.InvalidSettingsException if settings are invalid; it names all
   *     of them, and nothing has changed
   * @throws IllegalArgumentException if the builder has another secret
   */
  public synchronized void reconfigure(HeavyHittersBuilder settings) {
    settings.faults().throwIfAny();
    settings.requireSecretOf(hash);
    RuledTable before = now;
    blocks.resize(settings.maxBlocks());
    before.observed().resize(settings.maxBlocks());
    now =
        new RuledTable(
            before.keys().reconfigured(settings.config(), settings.maxKeys()),
            new Rules(settings.rules(), before.rules()),
            blocks,
            before.observed(),
            callbacks(settings));
  }

  /**
   * Writes the keys and the blocks, in a form that {@link HeavyHittersBuilder#restore} reads with
   * the same secret. Does not close the stream.
   *
   * @param wallTime the current wall time, from which a restored table computes its age
   */
  public void writeTo(OutputStream out, Instant wallTime) throws IOException {
    writeKeysTo(out, wallTime);
    writeBlocksTo(out, wallTime);
  }

  /** Writes only the keys, for {@link #restoreKeys}; does not close the stream. */
  public void writeKeysTo(OutputStream out, Instant wallTime) throws IOException {
    now.keys().snapshot().writeTo(out, wallTime.toEpochMilli());
  }

  /** Writes only the blocks, for {@link #restoreBlocks}; does not close the stream. */
  public void writeBlocksTo(OutputStream out, Instant wallTime) throws IOException {
    blocks.snapshot().writeTo(out, wallTime.toEpochMilli());
  }

  /**
   * Replaces the keys and their counts by those that {@link #writeKeysTo} wrote, as {@link
   * HeavyHittersBuilder#restore} does.
   *
   * @param wallTime the current wall time
   * @throws InvalidSnapshotException if the bytes are rejected; nothing has changed
   */
  public synchronized void restoreKeys(InputStream in, Instant wallTime) throws IOException {
    ContestTable restored = now.keys().empty();
    ContestSnapshot.restore(in, wallTime.toEpochMilli(), restored);
    now = now.with(restored);
  }

  /**
   * Adds the blocks that {@link #writeBlocksTo} wrote, for the time that is left of each.
   *
   * @param wallTime the current wall time
   * @return the number of blocks that found no place; the longest come first
   * @throws InvalidSnapshotException if the bytes are rejected; nothing has changed
   */
  public int restoreBlocks(InputStream in, Instant wallTime) throws IOException {
    return blocks.load(in, wallTime.toEpochMilli());
  }

  /**
   * Returns the view for callers that compute the hashes of keys themselves.
   *
   * @param by the function that they use
   * @throws IllegalArgumentException if it is another function than {@link #keyHash}, or has
   *     another secret
   */
  public HashedHeavyHitters hashed(KeyHash by) {
    if (by.fingerprint() != hash.fingerprint()) {
      throw new IllegalArgumentException("hash must be of the same function and secret");
    }
    return hashed;
  }

  /** Returns the hash function of the keys. */
  public KeyHash keyHash() {
    return hash;
  }

  RuledTable now() {
    return now;
  }

  private Callbacks callbacks(HeavyHittersBuilder settings) {
    return new Callbacks(settings.listener(), settings.trusted(), faults);
  }

  private void onEvicted(Tracked entry) {
    now.callbacks().evicted(entry);
  }

  private static Optional<KeyScore> copy(@Nullable Tracked entry) {
    return Optional.ofNullable(entry).map(Tracked::snapshot);
  }
}
