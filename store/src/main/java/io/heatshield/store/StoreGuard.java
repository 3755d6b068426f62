package io.heatshield.store;

import io.heatshield.action.Action;
import io.heatshield.action.Mode;
import io.heatshield.guard.AbsentKeys;
import io.heatshield.guard.BytesKey;
import io.heatshield.guard.ChangeFeed;
import io.heatshield.guard.HotValues;
import io.heatshield.guard.ReadThrough;
import io.heatshield.guard.ValueTraits;
import io.heatshield.guard.WriteRouter;
import io.heatshield.guard.WriteThrottle;
import io.heatshield.ring.HotRing;
import io.heatshield.store.engine.ChangeReports;
import io.heatshield.store.engine.Engine;
import io.heatshield.store.engine.KeyRouting;
import io.heatshield.store.engine.Value;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The protections of one store, created from its options: known-absent keys, hot values in memory,
 * throttled and grouped writes, routing of keys that are written often.
 *
 * <p>A protection that the options or the engine rule out does not exist. Any thread may call any
 * method.
 */
final class StoreGuard {
  private static final int GROUP_SIZE = 16;

  private final StoreContext context;
  private final boolean shared;
  private final Optional<AbsentKeys> absent;
  private final Optional<ReadThrough<BytesKey, Value>> hotReads;
  private final Optional<WriteThrottle> throttle;
  private final Optional<WriteRouter> router;
  private final Optional<Action> grouping;
  private final LongAdder groups = new LongAdder();
  private final LongAdder grouped = new LongAdder();
  private volatile StoreOptions tuned;

  StoreGuard(StoreContext context) {
    this.context = context;
    StoreOptions options = context.options();
    Engine engine = context.engine();
    tuned = options;
    shared = options.sharedWriters();
    absent = Optional.ofNullable(options.filter()).map(this::absentKeys);
    Optional<RingShape> shape = Optional.ofNullable(options.ring());
    hotReads =
        shape.filter(ring -> engine.location() != Engine.Location.MEMORY).map(this::readThrough);
    throttle = shape.map(this::writeThrottle);
    grouping =
        shape.map(ring -> context.guard().action("group", groupingMode(options.writeLimit())));
    Optional<RingShape> routing = Optional.ofNullable(options.routing().ring()).or(() -> shape);
    router =
        routing
            .filter(ring -> engine.capability(KeyRouting.class).isPresent())
            .map(this::writeRouter);
  }

  /** Returns the options whose modes, thresholds and times are in force. */
  StoreOptions tuned() {
    return tuned;
  }

  /** Applies new modes, thresholds and times. */
  void tune(StoreOptions next) {
    tuned = next;
    StoreOptions.WriteLimit writes = next.writeLimit();
    Optional.ofNullable(next.filter()).ifPresent(f -> absent.ifPresent(a -> a.mode(f.mode())));
    hotReads.ifPresent(reads -> reads.tune(limits(next.hotReads())));
    throttle.ifPresent(limit -> limit.tune(writes.mode(), writes.perWindow()));
    grouping.ifPresent(action -> action.mode(groupingMode(writes)));
    router.ifPresent(routing -> routing.tune(next.routing().mode(), next.routing().threshold()));
  }

  Optional<AbsentKeys> absent() {
    return absent;
  }

  /** Returns the read path through memory, if the store has one; it may be off. */
  Optional<ReadThrough<BytesKey, Value>> hotReads() {
    return hotReads;
  }

  Optional<WriteThrottle> throttle() {
    return throttle;
  }

  Optional<WriteRouter> router() {
    return router;
  }

  /** Counts a write; returns 0, or the milliseconds until a write of the key is allowed. */
  long tryWrite(byte[] key, long hash) {
    return throttle.isPresent() ? throttle.get().tryWrite(key, hash) : 0;
  }

  /** Returns whether a write of a key would be refused now, without counting one. */
  boolean isExhausted(byte[] key, long hash) {
    return throttle.isPresent() && throttle.get().isExhausted(key, hash);
  }

  /** Returns whether writes are counted to find those that are worth grouping. */
  boolean groups() {
    return grouping.isPresent() && grouping.get().mode() != Mode.OFF;
  }

  /** Counts a write while the throttle is off; returns whether the key's writes are grouped. */
  boolean isBurst(byte[] key, long hash) {
    return groups() && throttle.get().count(key, hash) > tuned.writeLimit().burstThreshold();
  }

  /** Returns the maximum number of writes in a group. */
  int maxGroupSize() {
    return GROUP_SIZE * tuned.writeLimit().batchMultiplier();
  }

  /** Records that writes were sent to the engine in one group. */
  void grouped(int writes) {
    groups.increment();
    grouped.add(writes);
    grouping.ifPresent(action -> action.apply(writes - 1L));
  }

  long groupCount() {
    return groups.sum();
  }

  long groupedWrites() {
    return grouped.sum();
  }

  /** Counts a put; returns whether the engine is to store the key with the hot ones. */
  boolean routes(byte[] key, long hash) {
    return router.isPresent() && router.get().routes(key, hash);
  }

  /** Returns whether the keys that exist are recorded. */
  boolean tracksKeys() {
    return absent.isPresent() && absent.get().isOn();
  }

  /** Records a key that is about to be put; returns whether it is new. */
  boolean adds(long hash, BooleanSupplier isHeld) {
    if (!tracksKeys() || (absent.get().isUncertain(hash) && isHeld.getAsBoolean())) {
      return false;
    }
    absent.get().addNew(hash);
    return true;
  }

  /** Records a new key that is about to be put. */
  void addNew(long hash) {
    absent.ifPresent(keys -> keys.addNew(hash));
  }

  /** Records that a key was deleted, or was added and not written. */
  void removed(long hash) {
    absent.ifPresent(keys -> keys.remove(hash));
  }

  /** Drops the kept value of a key that was written. */
  void wrote(byte[] key, long hash) {
    if (hotReads.isPresent()) {
      hotReads.get().values().invalidate(new BytesKey(key, hash));
    }
  }

  /** Drops the kept value of a key that another writer changed, or of all keys if it is null. */
  void changedByOthers(byte @Nullable [] key) {
    if (key != null) {
      wrote(key, context.hash().hash(key));
      return;
    }
    if (!shared) {
      absent.ifPresent(AbsentKeys::invalidate);
    }
    hotReads.ifPresent(reads -> reads.values().invalidateAll());
  }

  /** Drops all kept values after a clear; the filter only if the clear succeeded. */
  void cleared(boolean succeeded) {
    if (succeeded) {
      absent.ifPresent(AbsentKeys::clear);
    }
    hotReads.ifPresent(reads -> reads.values().invalidateAll());
  }

  private AbsentKeys absentKeys(StoreOptions.Filter filter) {
    var keys =
        new AbsentKeys(
            context.guard(),
            filter.shape(),
            filter.maxBytes(context.options().maxMemory()),
            !shared,
            ChangeFeed.ALWAYS,
            context.stamps()::mark);
    keys.mode(filter.mode());
    return keys;
  }

  private ReadThrough<BytesKey, Value> readThrough(RingShape shape) {
    StoreOptions.HotReads options = context.options().hotReads();
    Optional<ChangeReports> reports = context.engine().capability(ChangeReports.class);
    var values =
        new HotValues<BytesKey, Value>(
            context.guard(),
            limits(options),
            StoreBudget.of(context.options()).cache(),
            ring(shape),
            new StoredValues(context),
            () -> !shared || reports.map(ChangeReports::reportsForeignChanges).orElse(false));
    return new ReadThrough<>(context.guard(), values, options.mode());
  }

  private WriteThrottle writeThrottle(RingShape shape) {
    StoreOptions.WriteLimit limit = context.options().writeLimit();
    Duration window = shape.slot().multipliedBy(Math.max(1, shape.windowSlots()));
    HotRing ring = ring(shape);
    return new WriteThrottle(context.guard(), ring, window, limit.mode(), limit.perWindow());
  }

  private WriteRouter writeRouter(RingShape shape) {
    StoreOptions.Routing options = context.options().routing();
    return new WriteRouter(context.guard(), ring(shape), options.mode(), options.threshold());
  }

  private HotRing ring(RingShape shape) {
    long bytes = StoreBudget.ringCap(context.options().maxMemory());
    return shape.build(context.secret(), context.ticker(), bytes);
  }

  private HotValues.Limits limits(StoreOptions.HotReads options) {
    Duration cooldown = options.cooldown();
    Duration stale = options.maxStale();
    boolean capped = shared && stale.compareTo(cooldown) < 0;
    return new HotValues.Limits(options.mode(), options.threshold(), capped ? stale : cooldown);
  }

  private static Mode groupingMode(StoreOptions.WriteLimit options) {
    return options.mode() == Mode.OFF && options.burstThreshold() > 0 ? Mode.ENFORCE : Mode.OFF;
  }

  /** Size and expiry of values, for the cache. */
  private record StoredValues(StoreContext context) implements ValueTraits<Value> {
    @Override
    public long weight(Value value) {
      return value.bytes().length;
    }

    @Override
    public boolean isExpired(Value value) {
      return context.isExpired(value);
    }
  }
}
