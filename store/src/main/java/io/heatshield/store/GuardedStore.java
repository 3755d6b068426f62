package io.heatshield.store;

import io.heatshield.hash.KeyHash;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A key-value store with a guard in front of its engine.
 *
 * <p>Any thread may call any method. A stage fails with a {@link StoreException}, perhaps inside a
 * {@link java.util.concurrent.CompletionException}. With an engine that is {@linkplain
 * Engine#isLocal local}, and without an executor, every stage is complete when it is returned.
 * Writes of one key come one after another; a write that was acknowledged is seen by every read
 * that begins later. Keys and values are not copied: nobody may change them after they were handed
 * over. A key has at most 65,536 bytes.
 */
public final class GuardedStore implements AutoCloseable {
  /** What {@link #ttl} returns for a key that holds nothing. */
  public static final long ABSENT = -2;

  /** What {@link #ttl} returns for a value without an end. */
  public static final long NO_TTL = -1;

  private static final Duration LEAST_TTL = Duration.ofMillis(1);

  private final Engine engine;
  private final Parts parts;
  private final EngineCalls calls;
  private final Reads reads;
  private final Guards guards;
  private final Writes writes;
  private final Upkeep upkeep;
  private final Told told;
  private final @Nullable NearWay near;

  GuardedStore(StoreBuilder from) {
    engine = from.engine;
    parts =
        new Parts(
            from.options,
            from.secret,
            KeyHash.fast(from.secret),
            from.ticker,
            from.clock,
            from.savings,
            new Tally(),
            new CallWatch(from.ticker));
    var stamps = new Stamps(engine.isLocal());
    calls = new EngineCalls(engine, parts.watch(), engine.blocks() ? from.executor : null);
    Stripes stripes = engine.isLocal() ? new LockedStripes() : new QueuedStripes();
    reads = new Reads(engine, calls, stripes, stamps, parts);
    guards = reads.guards();
    writes = new Writes(engine, calls, stripes, stamps, parts, guards);
    near =
        engine instanceof NearEngine at && stripes instanceof LockedStripes locks
            ? new NearWay(at, locks, stamps, parts, guards)
            : null;
    upkeep = new Upkeep(engine, parts, guards, writes, stripes, stamps, from.pressure);
    told = new Told(engine, parts, guards, upkeep, near);
    engine.onForeignChange(guards::changedByOthers);
    if (from.upkeep) {
      upkeep.start();
    }
  }

  /** Returns a builder of a store over an engine, which then belongs to the store. */
  public static StoreBuilder over(Engine engine) {
    return new StoreBuilder(engine);
  }

  /**
   * Returns the function that keys are hashed with. A call that takes a hash takes the key's under
   * this one, and does not check it.
   */
  public KeyHash hash() {
    return parts.hash();
  }

  /** Returns what a key holds, or null. */
  public CompletionStage<@Nullable Value> get(byte[] key) {
    return get(key, hash(key));
  }

  /** Returns what a key whose {@linkplain #hash() hash} is known holds, or null. */
  public CompletionStage<@Nullable Value> get(byte[] key, long hash) {
    return reads.get(Keys.checked(key), hash);
  }

  /**
   * Returns whether {@link #find} and {@link #set} answer, as they do while the store is open and
   * its engine has the data at hand.
   */
  public boolean isNear() {
    return near != null && !calls.isClosed();
  }

  /** Returns what a key holds, or null, at once; only if the store {@linkplain #isNear is near}. */
  public @Nullable Value find(byte[] key) {
    return find(key, hash(key));
  }

  /** Returns what a key whose {@linkplain #hash() hash} is known holds, as {@link #find} does. */
  public @Nullable Value find(byte[] key, long hash) {
    return near().find(Keys.checked(key), hash);
  }

  /**
   * Sets what a key holds, without an end, at once; only if the store {@linkplain #isNear is near}.
   *
   * @return 0, or how many milliseconds until a write of this key, which is hot, will find room
   * @throws StoreException if the engine cannot; nothing is changed then
   */
  public long set(byte[] key, byte[] bytes) {
    return set(key, hash(key), bytes);
  }

  /** Sets what a key whose {@linkplain #hash() hash} is known holds, as {@link #set} does. */
  public long set(byte[] key, long hash, byte[] bytes) {
    NearWay way = near();
    return way.takesPuts()
        ? way.put(Keys.checked(key), hash, bytes)
        : put(key, hash, bytes).toCompletableFuture().join().retryAfterMillis();
  }

  /**
   * Looks at what {@link #find} or {@link #set} of these keys will need, if they come in a moment:
   * memory is then waited for once and not once for each. Returns how many of them seem to be
   * there.
   *
   * @param hashes the keys' {@linkplain #hash() hashes}
   * @param count how many of the keys to look at, from the first
   * @param write whether they will be set
   */
  public int fetch(byte[][] keys, long[] hashes, int count, boolean write) {
    return near == null ? 0 : near.fetch(keys, hashes, count, write);
  }

  /** Returns what each key holds, or null, all as of one moment. */
  public CompletionStage<List<@Nullable Value>> getAll(List<byte[]> keys) {
    return reads.getAll(Keys.of(keys, parts.hash()));
  }

  /** Returns whether a key holds something. */
  public CompletionStage<Boolean> exists(byte[] key) {
    return Stages.then(get(key), value -> value != null);
  }

  /** Sets what a key holds, without an end. */
  public CompletionStage<Written<Boolean>> put(byte[] key, byte[] bytes) {
    return put(key, hash(key), bytes);
  }

  /** Sets what a key whose {@linkplain #hash() hash} is known holds, without an end. */
  public CompletionStage<Written<Boolean>> put(byte[] key, long hash, byte[] bytes) {
    return writes.put(Keys.checked(key), hash, Value.of(bytes));
  }

  /** Sets what a key holds for a time, of at least one millisecond. */
  public CompletionStage<Written<Boolean>> put(byte[] key, byte[] bytes, Duration ttl) {
    return put(key, Value.of(bytes).until(endAfter(ttl)), Condition.ALWAYS);
  }

  /** Sets what a key holds under a condition, and answers whether that was met. */
  public CompletionStage<Written<Boolean>> put(byte[] key, Value value, Condition condition) {
    if (condition == Condition.ALWAYS) {
      return writes.put(key, hash(key), value);
    }
    boolean wanted = condition == Condition.IF_PRESENT;
    return writes.change(
        Keys.of(key, hash(key)),
        view -> {
          boolean met = (view.get(key) != null) == wanted;
          if (met) {
            view.put(key, value);
          }
          return met;
        });
  }

  /** Deletes a key, and answers whether it held something. It is never refused. */
  public CompletionStage<Boolean> delete(byte[] key) {
    return Stages.then(
        writes.update(Keys.of(key, hash(key)), view -> view.delete(key)),
        written -> Boolean.TRUE.equals(written.answer()));
  }

  /**
   * Adds to the whole number that a key holds as decimal text, 0 if it holds nothing, and answers
   * the sum. The end of the value stays.
   */
  public CompletionStage<Written<Long>> increment(byte[] key, long delta) {
    return writes.change(
        Keys.of(key, hash(key)),
        view -> {
          Value before = view.get(key);
          long sum = WholeNumber.sum(before, delta);
          byte[] text = Long.toString(sum).getBytes(StandardCharsets.US_ASCII);
          view.put(key, before == null ? Value.of(text) : before.with(text));
          return sum;
        });
  }

  /**
   * Sets when a value ends, and answers whether the key held one.
   *
   * @param expiresAt Unix time in milliseconds; {@link Value#NEVER} takes the end away, the past
   *     deletes the key
   */
  public CompletionStage<Written<Boolean>> expire(byte[] key, long expiresAt) {
    return writes.change(
        Keys.of(key, hash(key)),
        view -> {
          Value before = view.get(key);
          if (before != null) {
            view.put(key, before.until(expiresAt));
          }
          return before != null;
        });
  }

  /** Lets a value end after a time, and answers whether the key held one. */
  public CompletionStage<Written<Boolean>> expire(byte[] key, Duration ttl) {
    return expire(key, endAfter(ttl));
  }

  /** Returns the milliseconds until a value ends, {@link #NO_TTL} or {@link #ABSENT}. */
  public CompletionStage<Long> ttl(byte[] key) {
    return Stages.then(
        get(key),
        value -> {
          if (value == null) {
            return ABSENT;
          }
          long left = value.expiresAt() - parts.clock().getAsLong();
          return value.expires() ? Math.max(0, left) : NO_TTL;
        });
  }

  /**
   * Reads and changes keys in one atomic step.
   *
   * <p>All changes go to the engine as one batch while nobody else writes these keys. If a key that
   * is put is clamped, nothing is changed and the whole is refused.
   *
   * @param keys all keys that the body looks at or changes
   */
  public <T> CompletionStage<Written<T>> update(List<byte[]> keys, Transaction<T> body) {
    return writes.update(Keys.of(keys, parts.hash()), body);
  }

  /** Reads and changes one key whose {@linkplain #hash() hash} is known, in one atomic step. */
  public <T> CompletionStage<Written<T>> update(byte[] key, long hash, Transaction<T> body) {
    return writes.update(Keys.of(Keys.checked(key), hash), body);
  }

  /**
   * Changes one key whose {@linkplain #hash() hash} is known in one atomic step, after it was asked
   * whether the key is clamped: a body that runs is not refused for that any more, so it may change
   * the structure that the key holds.
   */
  public <T> CompletionStage<Written<T>> change(byte[] key, long hash, Transaction<T> body) {
    return writes.change(Keys.of(Keys.checked(key), hash), body);
  }

  /** Returns the bytes that may still be put, as far as the engine knows. */
  public long room() {
    return engine.room();
  }

  /**
   * Returns a number that changes whenever a key is changed, also by its end; it may change at
   * other times. Two equal ones say that nothing happened to the key in between. With an engine
   * that others write to, a change that was taken back is not seen.
   */
  public CompletionStage<Long> stamp(byte[] key) {
    return reads.stamp(key, hash(key));
  }

  /**
   * Returns some keys and where to go on: from 0 until 0 comes back, every key that was there all
   * the time is told, some perhaps twice.
   *
   * @param cursor 0 to begin, or what the last page returned
   * @param count about how many keys to return, at least 1
   */
  public CompletionStage<ScanPage> scan(long cursor, int count) {
    if (count < 1) {
      throw new IllegalArgumentException("count must be positive: " + count);
    }
    return reads.scan(cursor, count);
  }

  /** Returns how many keys there are; those that ended a moment ago may be counted. */
  public CompletionStage<Long> size() {
    return reads.size();
  }

  /** Deletes everything. */
  public CompletionStage<Void> clear() {
    return writes.clear();
  }

  /**
   * Takes the keys that are hot in a whole fleet in place of those given before: each is kept in
   * memory from its first read on, and this store's clamp allows it a node's part of its limit, as
   * far as their modes let them.
   *
   * @param nodes how many nodes share the limit
   */
  public void hotElsewhere(Collection<byte[]> keys, int nodes) {
    guards.elsewhere.replace(keys, nodes);
  }

  /** Returns what the store holds and did. */
  public StoreStats stats() {
    return told.stats();
  }

  /** Returns how many calls were made to the engine; cheaper than {@link #stats}. */
  public long engineCalls() {
    return told.engineCalls();
  }

  /**
   * Returns the call to the engine that has been running for the longest time, but for walks over
   * all keys such as {@link #size}. Its age counts from the first time that this method saw it.
   */
  public Optional<RunningCall> longestCall() {
    return parts.watch().longest();
  }

  /** Returns what keeps the engine from doing all of its work. */
  public EngineFaults faults() {
    return engine.faults();
  }

  /** Returns the state of the filter, if the store has one. */
  public Optional<FilterReport> filter() {
    return told.filter();
  }

  /**
   * Returns what filter and engine say of a key; a store without a filter takes all for present.
   */
  public CompletionStage<FilterCheck> check(byte[] key) {
    return reads.check(key, hash(key));
  }

  /** Returns the options that the store was opened with. */
  public StoreOptions options() {
    return parts.options();
  }

  /** Takes over modes, thresholds and times; memory, rings and the filter's shape stay. */
  public void retune(StoreOptions next) {
    guards.retune(next);
  }

  /** Does what is due beside calls, for stores without a thread of their own; may take its time. */
  public void maintain() {
    upkeep.once();
  }

  /** Ends upkeep, keeps the filter if it has a file, and closes the engine. */
  @Override
  public void close() {
    if (calls.close()) {
      upkeep.close();
    }
  }

  private NearWay near() {
    if (near == null || calls.isClosed()) {
      throw new IllegalStateException("the store must be open and near");
    }
    return near;
  }

  private long hash(byte[] key) {
    return parts.hash().hash(Keys.checked(key));
  }

  private long endAfter(Duration ttl) {
    long now = parts.clock().getAsLong();
    if (ttl.compareTo(LEAST_TTL) < 0) {
      throw new IllegalArgumentException("ttl must be at least a millisecond: " + ttl);
    }
    if (ttl.compareTo(Duration.ofMillis(Value.NEVER - 1 - now)) > 0) {
      throw new IllegalArgumentException("ttl must end within 64 bits of milliseconds: " + ttl);
    }
    return now + ttl.toMillis();
  }
}
