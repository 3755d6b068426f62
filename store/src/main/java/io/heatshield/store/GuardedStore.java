package io.heatshield.store;

import io.heatshield.guard.AbsenceCheck;
import io.heatshield.guard.AbsentKeys;
import io.heatshield.guard.BytesKey;
import io.heatshield.guard.ReadThrough;
import io.heatshield.hash.KeyHash;
import io.heatshield.store.call.Stages;
import io.heatshield.store.engine.ChangeReports;
import io.heatshield.store.engine.Engine;
import io.heatshield.store.engine.EngineFaults;
import io.heatshield.store.engine.FaultReports;
import io.heatshield.store.engine.InlineCalls;
import io.heatshield.store.engine.ScanPage;
import io.heatshield.store.engine.ScannedKey;
import io.heatshield.store.engine.SpaceUse;
import io.heatshield.store.engine.StoreException;
import io.heatshield.store.engine.Value;
import io.heatshield.store.lock.LockedStripes;
import io.heatshield.store.stats.FilterCheck;
import io.heatshield.store.stats.FilterReport;
import io.heatshield.store.stats.RunningCall;
import io.heatshield.store.stats.StoreStats;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A key-value store: an {@link Engine} with a guard in front of it.
 *
 * <p>A read asks the filter of absent keys, then the hot values in memory, then a pending load of
 * the key, then the engine. A write is throttled, recorded in the filter, sent to the engine, and
 * invalidates the value in memory.
 *
 * <p>Any thread may call any method. A stage fails with a {@link StoreException}, perhaps inside a
 * {@link java.util.concurrent.CompletionException}. With an engine that is {@linkplain
 * Engine.Location#isLocal local}, and without an executor, every stage is complete when it is
 * returned. Writes of one key are made one after another. Every read that begins after a write was
 * acknowledged sees that write. Keys and values are not copied: they must not be changed after they
 * were passed to the store. A key has at most 65,536 bytes.
 */
public final class GuardedStore implements KeyOperations, AutoCloseable {
  private final StoreContext context;
  private final Engine engine;
  private final EngineCalls calls;
  private final @Nullable AbsentKeys absent;
  private final @Nullable ReadThrough<BytesKey, Value> hotReads;
  private final StoreGuard guard;
  private final Writes writes;
  private final Optional<InlinePath> inline;
  private final Optional<FilterMaintenance> filter;
  private final StoreMaintenance maintenance;
  private final StoreStatsReader stats;
  private final Optional<SpaceUse> space;
  private final Optional<FaultReports> faults;

  GuardedStore(StoreBuilder from) {
    context = StoreContext.of(from);
    engine = context.engine();
    calls = context.calls();
    guard = new StoreGuard(context);
    absent = guard.absent().orElse(null);
    hotReads = guard.hotReads().orElse(null);
    writes = new Writes(context, guard);
    inline =
        context.stripes() instanceof LockedStripes stripes
            ? engine
                .capability(InlineCalls.class)
                .map(near -> new InlinePath(near, stripes, context, guard, writes))
            : Optional.empty();
    filter = guard.absent().map(keys -> new FilterMaintenance(context, keys));
    filter.ifPresent(FilterMaintenance::load);
    var memory = new StoreMemory(context, guard, from.pressure);
    var upkeep = new EngineMaintenance(context, guard, writes);
    maintenance = new StoreMaintenance(context, guard, upkeep, memory, filter);
    stats = new StoreStatsReader(context, guard, memory, upkeep);
    space = engine.capability(SpaceUse.class);
    faults = engine.capability(FaultReports.class);
    engine
        .capability(ChangeReports.class)
        .ifPresent(reports -> reports.onForeignChange(guard::changedByOthers));
    if (from.upkeep) {
      maintenance.start();
    }
  }

  /** Returns a builder of a store over an engine, which then belongs to the store. */
  public static StoreBuilder over(Engine engine) {
    return new StoreBuilder(engine);
  }

  /** Returns the function that keys are hashed with. Hashes that are passed in are not checked. */
  public KeyHash hash() {
    return context.hash();
  }

  @Override
  public CompletionStage<@Nullable Value> get(byte[] key) {
    return get(key, hash(key));
  }

  /** Returns the value of a key whose {@linkplain #hash() hash} is known, or null. */
  public CompletionStage<@Nullable Value> get(byte[] key, long hash) {
    Keys.checked(key);
    AbsenceCheck check = absent == null ? AbsenceCheck.NONE : absent.check(hash);
    if (check.isAnswered()) {
      return CompletableFuture.completedFuture(null);
    }
    ReadThrough<BytesKey, Value> hot = hotReads();
    return hot == null
        ? load(key, check)
        : hot.get(new BytesKey(key, hash), () -> load(key, check));
  }

  /**
   * Returns the path of single reads and writes without stages; empty if the engine has no {@link
   * InlineCalls} or the store is closed.
   */
  public Optional<InlinePath> inline() {
    return calls.isClosed() ? Optional.empty() : inline;
  }

  /** Returns the value of each key, or null; with a local engine all as of one moment. */
  public CompletionStage<List<@Nullable Value>> getAll(List<byte[]> keys) {
    Keys hashed = Keys.of(keys, context.hash());
    return calls.make(
        () ->
            engine.location().isLocal()
                ? context.stripes().holding(hashed.hashes(), () -> fetch(hashed))
                : fetch(hashed));
  }

  /**
   * Returns some keys and the cursor of the next page. A scan from 0 to 0 returns every key that
   * existed all the time, some perhaps twice.
   *
   * @param cursor 0 to begin, or what the last page returned
   * @param count about how many keys to return, at least 1
   */
  public CompletionStage<ScanPage> scan(long cursor, int count) {
    if (count < 1) {
      throw new IllegalArgumentException("count must be positive: " + count);
    }
    calls.count();
    return Stages.then(
        calls.make(() -> engine.scan(cursor, count)),
        page -> {
          long now = nowMillis();
          List<ScannedKey> live =
              page.keys().stream()
                  .filter(found -> engine.removesExpired() || found.expiresAt() > now)
                  .toList();
          ReadThrough<BytesKey, Value> hot = hotReads();
          if (hot != null) {
            live.forEach(found -> readPast(hot, found.key(), context.hash().hash(found.key())));
          }
          return new ScanPage(page.cursor(), live);
        });
  }

  /** Returns the number of keys; keys that expired a moment ago may be included. */
  public CompletionStage<Long> size() {
    return calls.makeLong(engine::size);
  }

  /**
   * Returns a number that differs after any change of a key, its expiry included; it may also
   * differ without a change. Two equal stamps prove that the key was not changed in between. With
   * an engine that others write to, a change that was reverted is not noticed.
   */
  public CompletionStage<Long> stamp(byte[] key) {
    long hash = hash(key);
    // Taken before the read: a change during the read counts as a later one.
    long mark = context.stamps().mark(hash);
    return Stages.then(reload(key, hash), value -> context.stamps().of(mark, value));
  }

  /** Returns what the filter and the engine say about a key; without a filter: present. */
  public CompletionStage<FilterCheck> check(byte[] key) {
    long hash = hash(key);
    boolean present = absent == null || absent.looksPresent(hash);
    boolean trusted = absent != null && absent.isComplete();
    return Stages.then(
        reload(key, hash), value -> new FilterCheck(present, trusted, value != null));
  }

  @Override
  public CompletionStage<WriteResult<Boolean>> put(byte[] key, Value value) {
    return writes.put(key, hash(key), value);
  }

  /** Sets the value of a key whose {@linkplain #hash() hash} is known, without an expiry. */
  public CompletionStage<WriteResult<Boolean>> put(byte[] key, long hash, byte[] bytes) {
    return writes.put(Keys.checked(key), hash, Value.of(bytes));
  }

  @Override
  public <T> CompletionStage<WriteResult<T>> change(byte[] key, Transaction<T> body) {
    return change(key, hash(key), body);
  }

  /** Changes one key whose {@linkplain #hash() hash} is known, throttled before the body runs. */
  public <T> CompletionStage<WriteResult<T>> change(byte[] key, long hash, Transaction<T> body) {
    return writes.change(Keys.of(Keys.checked(key), hash), body);
  }

  @Override
  public <T> CompletionStage<WriteResult<T>> update(List<byte[]> keys, Transaction<T> body) {
    return writes.update(Keys.of(keys, context.hash()), body);
  }

  /** Reads and changes one key whose {@linkplain #hash() hash} is known, in one atomic step. */
  public <T> CompletionStage<WriteResult<T>> update(byte[] key, long hash, Transaction<T> body) {
    return writes.update(Keys.of(Keys.checked(key), hash), body);
  }

  /** Deletes all keys. */
  public CompletionStage<Void> clear() {
    return writes.clear();
  }

  @Override
  public long nowMillis() {
    return context.clock().getAsLong();
  }

  /** Returns how many more bytes may be stored, as far as the engine knows. */
  public long room() {
    return space.map(SpaceUse::room).orElse(Long.MAX_VALUE);
  }

  /**
   * Replaces the keys that are hot in the whole fleet. Each is kept in memory from its first read
   * on and is allowed this node's share of the write limit, as far as the modes allow.
   *
   * @param nodes how many nodes share the limit
   */
  public void hotElsewhere(Collection<byte[]> keys, int nodes) {
    context.guard().fleet().replace(keys, nodes);
  }

  /** Returns the statistics of the store. */
  public StoreStats stats() {
    return stats.read();
  }

  /** Returns the number of calls to the engine; cheaper than {@link #stats}. */
  public long engineCalls() {
    return calls.counted();
  }

  /**
   * Returns the call to the engine that has been running for the longest time, except for walks
   * over all keys such as {@link #size}. Its age counts from the first time that this method saw
   * it.
   */
  public Optional<RunningCall> longestCall() {
    return calls.watch().longest();
  }

  /** Returns the faults that keep the engine from working normally. */
  public EngineFaults faults() {
    return faults.map(FaultReports::faults).orElse(EngineFaults.NONE);
  }

  /** Returns the state of the filter, if the store has one. */
  public Optional<FilterReport> filter() {
    return filter.map(FilterMaintenance::report);
  }

  /** Returns the options that the store was opened with. */
  public StoreOptions options() {
    return context.options();
  }

  /** Applies new modes, thresholds and times; memory, rings and the filter's shape stay. */
  public void retune(StoreOptions next) {
    guard.tune(next);
  }

  /** Does the periodic work of a store without a maintenance thread; may take long. */
  public void maintain() {
    maintenance.once();
  }

  /** Stops maintenance, saves the filter if it has a file, and closes the engine. */
  @Override
  public void close() {
    if (calls.close()) {
      maintenance.close();
    }
  }

  /** Reads a key from the engine, and compares the result with what the filter said. */
  private CompletionStage<@Nullable Value> load(byte[] key, AbsenceCheck check) {
    calls.count();
    return Stages.then(
        calls.make(() -> engine.get(key)),
        held -> {
          check.verify(held != null);
          return context.live(held);
        });
  }

  /** Reads the keys that neither the filter nor the hot values know from the engine. */
  private CompletionStage<List<@Nullable Value>> fetch(Keys keys) {
    ReadThrough<BytesKey, Value> hot = hotReads();
    var values = new ArrayList<@Nullable Value>(keys.size());
    var missing = new ArrayList<byte[]>();
    var lookups = new ArrayList<Lookup>();
    for (int i = 0; i < keys.size(); i++) {
      byte[] key = keys.key(i);
      long hash = keys.hash(i);
      AbsenceCheck check = absent == null ? AbsenceCheck.NONE : absent.check(hash);
      Value kept = null;
      if (!check.isAnswered()) {
        kept = hot == null ? null : hot.getIfKept(new BytesKey(key, hash), () -> reload(key, hash));
        if (kept == null) {
          missing.add(key);
          lookups.add(new Lookup(i, check));
        }
      }
      values.add(kept);
    }
    if (missing.isEmpty()) {
      return CompletableFuture.completedFuture(values);
    }
    calls.count();
    return Stages.then(
        engine.getAll(missing),
        answers -> {
          for (int i = 0; i < answers.size(); i++) {
            Lookup lookup = lookups.get(i);
            lookup.check.verify(answers.get(i) != null);
            Value value = context.live(answers.get(i));
            values.set(lookup.place, value);
            if (hot != null && value != null) {
              readPast(hot, keys.key(lookup.place), keys.hash(lookup.place));
            }
          }
          return values;
        });
  }

  private void readPast(ReadThrough<BytesKey, Value> hot, byte[] key, long hash) {
    hot.readPast(new BytesKey(key, hash), () -> reload(key, hash));
  }

  /** Reads a key from the engine, whatever the filter says about it. */
  private CompletionStage<@Nullable Value> reload(byte[] key, long hash) {
    return load(key, absent == null ? AbsenceCheck.NONE : absent.observe(hash));
  }

  private @Nullable ReadThrough<BytesKey, Value> hotReads() {
    return hotReads != null && hotReads.values().isOn() ? hotReads : null;
  }

  private long hash(byte[] key) {
    return context.hash().hash(Keys.checked(key));
  }

  /** A key that is read from the engine: its place in the call, and what the filter said. */
  private record Lookup(int place, AbsenceCheck check) {}
}
