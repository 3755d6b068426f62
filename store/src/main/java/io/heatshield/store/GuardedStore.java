package io.heatshield.store;

import io.heatshield.guard.FleetHotKeys;
import io.heatshield.guard.GuardContext;
import io.heatshield.hash.KeyHash;
import io.heatshield.store.engine.Engine;
import io.heatshield.store.engine.EngineFaults;
import io.heatshield.store.engine.InlineEngine;
import io.heatshield.store.engine.RunningCall;
import io.heatshield.store.engine.ScanPage;
import io.heatshield.store.engine.Stages;
import io.heatshield.store.engine.StoreException;
import io.heatshield.store.engine.Value;
import io.heatshield.store.lock.LockedStripes;
import io.heatshield.store.stats.FilterCheck;
import io.heatshield.store.stats.FilterReport;
import io.heatshield.store.stats.StoreStats;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
  private static final Logger log = LoggerFactory.getLogger(GuardedStore.class);

  /** What {@link #ttl} returns for a key that holds nothing. */
  public static final long ABSENT = -2;

  /** What {@link #ttl} returns for a value without an end. */
  public static final long NO_TTL = -1;

  private static final Duration LEAST_TTL = Duration.ofMillis(1);

  private final StoreContext context;
  private final StoreGuard guard;
  private final Reads reads;
  private final Writes writes;
  private final Optional<InlinePath> inline;
  private final Optional<FilterMaintenance> filter;
  private final StoreMaintenance maintenance;
  private final StoreStatsReader stats;

  GuardedStore(StoreBuilder from) {
    KeyHash hash = KeyHash.fast(from.secret);
    String name = from.options.name();
    context =
        StoreContext.of(
            from,
            new GuardContext(
                name,
                hash,
                from.ticker,
                from.savings,
                new FleetHotKeys(hash),
                warning -> log.warn("store {}: {}", name, warning)));
    guard = new StoreGuard(context);
    reads = new Reads(context, guard);
    writes = new Writes(context, guard);
    inline = inlinePath();
    filter = guard.absent().map(keys -> new FilterMaintenance(context, keys));
    filter.ifPresent(FilterMaintenance::load);
    var memory = new StoreMemory(context, guard, from.pressure);
    var upkeep = new EngineMaintenance(context, guard, writes);
    maintenance = new StoreMaintenance(context, guard, upkeep, memory, filter);
    stats = new StoreStatsReader(context, guard, memory, upkeep);
    context.engine().onForeignChange(guard::changedByOthers);
    if (from.upkeep) {
      maintenance.start();
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
    return context.hash();
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
   * Returns the path of single reads and writes without stages; empty if the engine is not {@link
   * InlineEngine inline} or the store is closed.
   */
  public Optional<InlinePath> inline() {
    return context.calls().isClosed() ? Optional.empty() : inline;
  }

  /** Returns what each key holds, or null, all as of one moment. */
  public CompletionStage<List<@Nullable Value>> getAll(List<byte[]> keys) {
    return reads.getAll(Keys.of(keys, context.hash()));
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
          long left = value.expiresAt() - context.clock().getAsLong();
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
    return writes.update(Keys.of(keys, context.hash()), body);
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
    return context.engine().room();
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
    context.guard().fleet().replace(keys, nodes);
  }

  /** Returns what the store holds and did. */
  public StoreStats stats() {
    return stats.read();
  }

  /** Returns how many calls were made to the engine; cheaper than {@link #stats}. */
  public long engineCalls() {
    return context.calls().counted();
  }

  /**
   * Returns the call to the engine that has been running for the longest time, but for walks over
   * all keys such as {@link #size}. Its age counts from the first time that this method saw it.
   */
  public Optional<RunningCall> longestCall() {
    return context.watch().longest();
  }

  /** Returns what keeps the engine from doing all of its work. */
  public EngineFaults faults() {
    return context.engine().faults();
  }

  /** Returns the state of the filter, if the store has one. */
  public Optional<FilterReport> filter() {
    return filter.map(FilterMaintenance::report);
  }

  /**
   * Returns what filter and engine say of a key; a store without a filter takes all for present.
   */
  public CompletionStage<FilterCheck> check(byte[] key) {
    return reads.check(key, hash(key));
  }

  /** Returns the options that the store was opened with. */
  public StoreOptions options() {
    return context.options();
  }

  /** Takes over modes, thresholds and times; memory, rings and the filter's shape stay. */
  public void retune(StoreOptions next) {
    guard.tune(next);
  }

  /** Does what is due beside calls, for stores without a thread of their own; may take its time. */
  public void maintain() {
    maintenance.once();
  }

  /** Ends upkeep, keeps the filter if it has a file, and closes the engine. */
  @Override
  public void close() {
    if (context.calls().close()) {
      maintenance.close();
    }
  }

  private Optional<InlinePath> inlinePath() {
    return context.engine() instanceof InlineEngine engine
            && context.stripes() instanceof LockedStripes stripes
        ? Optional.of(new InlinePath(engine, stripes, context, guard, writes))
        : Optional.empty();
  }

  private long hash(byte[] key) {
    return context.hash().hash(Keys.checked(key));
  }

  private long endAfter(Duration ttl) {
    long now = context.clock().getAsLong();
    if (ttl.compareTo(LEAST_TTL) < 0) {
      throw new IllegalArgumentException("ttl must be at least a millisecond: " + ttl);
    }
    if (ttl.compareTo(Duration.ofMillis(Value.NEVER - 1 - now)) > 0) {
      throw new IllegalArgumentException("ttl must end within 64 bits of milliseconds: " + ttl);
    }
    return now + ttl.toMillis();
  }
}
