package io.heatshield.store;

import io.heatshield.guard.AbsenceCheck;
import io.heatshield.guard.AbsentKeys;
import io.heatshield.store.call.CallWatch;
import io.heatshield.store.engine.InlineCalls;
import io.heatshield.store.engine.StoreException;
import io.heatshield.store.engine.Value;
import io.heatshield.store.lock.LockedStripes;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads and sets single keys of an engine with {@link InlineCalls} on the calling thread, without
 * stages: the same steps as {@link GuardedStore#get} and {@link GuardedStore#put}.
 *
 * <p>Every method takes a key with its {@linkplain GuardedStore#hash hash}. Any thread may call any
 * method.
 */
public final class InlinePath {
  private final InlineCalls engine;
  private final LockedStripes stripes;
  private final StoreContext context;
  private final StoreGuard guard;
  private final @Nullable AbsentKeys absent;
  private final Writes writes;
  private final LongConsumer adding;

  InlinePath(
      InlineCalls engine,
      LockedStripes stripes,
      StoreContext context,
      StoreGuard guard,
      Writes writes) {
    this.engine = engine;
    this.stripes = stripes;
    this.context = context;
    this.guard = guard;
    this.absent = guard.absent().orElse(null);
    this.writes = writes;
    this.adding = guard::addNew;
    engine.hashBy(context.hash());
  }

  /** Returns the value of a key, or null. */
  public @Nullable Value get(byte[] key, long hash) {
    Keys.checked(key);
    AbsenceCheck check = absent == null ? AbsenceCheck.NONE : absent.check(hash);
    if (check.isAnswered()) {
      return null;
    }
    Value held = find(key, hash);
    check.verify(held != null);
    return context.live(held);
  }

  /**
   * Sets the value of a key to plain bytes that do not expire.
   *
   * @return 0, or the milliseconds until a write of the key, which is throttled, is allowed
   * @throws StoreException if the engine is full; nothing is changed then
   */
  public long set(byte[] key, long hash, byte[] bytes) {
    Keys.checked(key);
    if (guard.groups()) {
      return writes.put(key, hash, Value.of(bytes)).toCompletableFuture().join().retryAfterMillis();
    }
    long wait = guard.tryWrite(key, hash);
    if (wait == 0) {
      put(key, hash, bytes);
    }
    return wait;
  }

  /**
   * Looks up keys that will be read or set next, so that their memory is fetched in parallel and
   * not one after another; returns how many seem to exist. Changes nothing.
   *
   * @param count how many of the keys to look up, from the first
   * @param write whether they will be set
   */
  public int fetch(byte[][] keys, long[] hashes, int count, boolean write) {
    int looked = write ? fetchCounts(hashes, count) : fetchFilter(hashes, count);
    if (looked < 0) {
      return 0; // Never: it keeps the lookups from being removed as unused.
    }
    CallWatch.Slot slot = context.calls().watch().enter();
    try {
      return engine.fetch(keys, hashes, count);
    } finally {
      slot.leave();
    }
  }

  private @Nullable Value find(byte[] key, long hash) {
    context.calls().count();
    CallWatch.Slot slot = context.calls().watch().enter();
    try {
      return engine.find(key, hash);
    } finally {
      slot.leave();
    }
  }

  private void put(byte[] key, long hash, byte[] bytes) {
    context.calls().count();
    ReentrantLock stripe = stripes.of(hash);
    CallWatch.Slot slot = context.calls().watch().enter();
    stripe.lock();
    try {
      try {
        engine.put(key, hash, bytes, adding);
      } finally {
        guard.wrote(key, hash);
        context.stamps().changed(hash);
      }
    } finally {
      stripe.unlock();
      slot.leave();
    }
  }

  private int fetchCounts(long[] hashes, int count) {
    return guard.throttle().isPresent() ? guard.throttle().get().prefetch(hashes, count) : 0;
  }

  private int fetchFilter(long[] hashes, int count) {
    int present = 0;
    for (int i = 0; absent != null && i < count; i++) {
      present += absent.looksPresent(hashes[i]) ? 1 : 0;
    }
    return present;
  }
}
