package io.heatshield.store;

import io.heatshield.hash.KeyHash;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
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

  private final Engine engine;
  private final KeyHash hash;
  private final LongSupplier clock;
  private final Stamps stamps;
  private final Reads reads;
  private final Writes writes;

  GuardedStore(StoreBuilder from) {
    engine = from.engine;
    hash = from.hash;
    clock = from.clock;
    stamps = new Stamps(engine.isLocal());
    var calls = new EngineCalls(engine.blocks() ? from.executor : null);
    Stripes stripes = new LockedStripes();
    reads = new Reads(engine, calls, stripes, clock);
    writes = new Writes(engine, calls, stripes, stamps, clock);
  }

  /** Returns a builder of a store over an engine, which then belongs to the store. */
  public static StoreBuilder over(Engine engine) {
    return new StoreBuilder(engine);
  }

  /** Returns what a key holds, or null. */
  public CompletionStage<@Nullable Value> get(byte[] key) {
    return reads.get(key, hash(key));
  }

  /** Returns what each key holds, or null, all as of one moment. */
  public CompletionStage<List<@Nullable Value>> getAll(List<byte[]> keys) {
    return reads.getAll(Keys.of(keys, hash));
  }

  /** Returns whether a key holds something. */
  public CompletionStage<Boolean> exists(byte[] key) {
    return get(key).thenApply(value -> value != null);
  }

  /** Sets what a key holds, without an end. */
  public CompletionStage<Written<Boolean>> put(byte[] key, byte[] bytes) {
    return put(key, Value.of(bytes), Condition.ALWAYS);
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
    return writes.update(
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
    return writes
        .update(Keys.of(key, hash(key)), view -> view.delete(key))
        .thenApply(written -> Boolean.TRUE.equals(written.answer()));
  }

  /**
   * Adds to the whole number that a key holds as decimal text, 0 if it holds nothing, and answers
   * the sum. The end of the value stays.
   */
  public CompletionStage<Written<Long>> increment(byte[] key, long delta) {
    return writes.update(
        Keys.of(key, hash(key)),
        view -> {
          Value before = view.get(key);
          long sum = sum(before, delta);
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
    return writes.update(
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
    return get(key)
        .thenApply(
            value -> {
              if (value == null) {
                return ABSENT;
              }
              return value.expires() ? Math.max(0, value.expiresAt() - clock.getAsLong()) : NO_TTL;
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
    return writes.update(Keys.of(keys, hash), body);
  }

  /**
   * Returns a number that changes whenever a key is changed, also by its end; it may change at
   * other times. Two equal ones say that nothing happened to the key in between. With an engine
   * that others write to, a change that was taken back is not seen.
   */
  public CompletionStage<Long> stamp(byte[] key) {
    long hashed = hash(key);
    return reads.fresh(key).thenApply(value -> stamps.of(hashed, value));
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

  /** Deletes some of what has ended, and returns how many keys that were; to be called often. */
  public int sweep() {
    int swept = 0;
    List<byte[]> ended = engine.expired(clock.getAsLong(), Writes.SWEPT_AT_ONCE);
    for (byte[] key : ended) {
      if (writes.dropIfExpired(Keys.of(key, hash(key)))) {
        swept++;
      }
    }
    return swept;
  }

  /** Closes the engine. */
  @Override
  public void close() {
    writes.close();
  }

  private long hash(byte[] key) {
    return hash.hash(Keys.checked(key));
  }

  private long endAfter(Duration ttl) {
    long millis = ttl.toMillis();
    if (millis < 1) {
      throw new IllegalArgumentException("ttl must be at least a millisecond: " + ttl);
    }
    return Math.addExact(clock.getAsLong(), millis);
  }

  private static long sum(@Nullable Value before, long delta) {
    if (before == null) {
      return delta;
    }
    if (before.type() != Value.STRING) {
      throw new StoreException(StoreException.Reason.WRONG_TYPE, "the value is of another type");
    }
    long number = WholeNumber.parse(before.bytes());
    long sum = number + delta;
    if (((number ^ sum) & (delta ^ sum)) < 0) {
      throw new StoreException(
          StoreException.Reason.OVERFLOW, "increment or decrement would overflow");
    }
    return sum;
  }
}
