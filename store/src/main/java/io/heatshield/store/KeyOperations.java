package io.heatshield.store;

import io.heatshield.store.call.Stages;
import io.heatshield.store.engine.Value;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Common operations on one key, made of the reads and atomic changes of a store. */
public interface KeyOperations {
  /** Returned by {@link #ttl} for a key that does not exist. */
  long ABSENT = -2;

  /** Returned by {@link #ttl} for a value that does not expire. */
  long NO_TTL = -1;

  /** Returns the value of a key, or null. */
  CompletionStage<@Nullable Value> get(byte[] key);

  /** Sets the value of a key. */
  CompletionStage<WriteResult<Boolean>> put(byte[] key, Value value);

  /**
   * Changes one key in one atomic step. The key is throttled before the body runs, so the body may
   * change the structure that the key holds.
   */
  <T> CompletionStage<WriteResult<T>> change(byte[] key, Transaction<T> body);

  /**
   * Reads and changes keys in one atomic step.
   *
   * <p>All changes are sent to the engine as one batch while no other call writes these keys. If a
   * key that is put is throttled, nothing is changed and the whole update is refused.
   *
   * @param keys all keys that the body reads or changes
   */
  <T> CompletionStage<WriteResult<T>> update(List<byte[]> keys, Transaction<T> body);

  /** Returns the Unix time in milliseconds that expiry times are compared with. */
  long nowMillis();

  /** Returns whether a key exists. */
  default CompletionStage<Boolean> exists(byte[] key) {
    return Stages.then(get(key), value -> value != null);
  }

  /** Sets the value of a key to bytes that do not expire. */
  default CompletionStage<WriteResult<Boolean>> put(byte[] key, byte[] bytes) {
    return put(key, Value.of(bytes));
  }

  /** Sets the value of a key with a time to live of at least one millisecond. */
  default CompletionStage<WriteResult<Boolean>> put(byte[] key, byte[] bytes, Duration ttl) {
    return put(key, Value.of(bytes).until(expiryAfter(ttl)));
  }

  /** Sets the value of a key under a condition, and answers whether it was met. */
  default CompletionStage<WriteResult<Boolean>> put(byte[] key, Value value, Condition condition) {
    if (condition == Condition.ALWAYS) {
      return put(key, value);
    }
    boolean wanted = condition == Condition.IF_PRESENT;
    return change(
        key,
        view -> {
          boolean met = (view.get(key) != null) == wanted;
          if (met) {
            view.put(key, value);
          }
          return met;
        });
  }

  /** Deletes a key, and answers whether it existed. A deletion is never throttled. */
  default CompletionStage<Boolean> delete(byte[] key) {
    return Stages.then(
        update(List.of(key), view -> view.delete(key)),
        result -> Boolean.TRUE.equals(result.answer()));
  }

  /**
   * Adds to the integer that a key holds as decimal text, 0 if the key does not exist, and answers
   * the sum. The expiry does not change.
   */
  default CompletionStage<WriteResult<Long>> increment(byte[] key, long delta) {
    return change(
        key,
        view -> {
          Value before = view.get(key);
          long sum = IntegerText.sum(before, delta);
          byte[] text = Long.toString(sum).getBytes(StandardCharsets.US_ASCII);
          view.put(key, before == null ? Value.of(text) : before.with(text));
          return sum;
        });
  }

  /**
   * Sets when a value expires, and answers whether the key exists.
   *
   * @param expiresAt Unix time in milliseconds; {@link Value#NEVER} removes the expiry, a time in
   *     the past deletes the key
   */
  default CompletionStage<WriteResult<Boolean>> expire(byte[] key, long expiresAt) {
    return change(
        key,
        view -> {
          Value before = view.get(key);
          if (before != null) {
            view.put(key, before.until(expiresAt));
          }
          return before != null;
        });
  }

  /** Sets the time to live of a value, and answers whether the key exists. */
  default CompletionStage<WriteResult<Boolean>> expire(byte[] key, Duration ttl) {
    return expire(key, expiryAfter(ttl));
  }

  /** Returns the milliseconds until a value expires, {@link #NO_TTL} or {@link #ABSENT}. */
  default CompletionStage<Long> ttl(byte[] key) {
    return Stages.then(
        get(key),
        value -> {
          if (value == null) {
            return ABSENT;
          }
          return value.expires() ? Math.max(0, value.expiresAt() - nowMillis()) : NO_TTL;
        });
  }

  private long expiryAfter(Duration ttl) {
    long now = nowMillis();
    if (ttl.compareTo(Duration.ofMillis(1)) < 0) {
      throw new IllegalArgumentException("ttl must be at least a millisecond: " + ttl);
    }
    if (ttl.compareTo(Duration.ofMillis(Value.NEVER - 1 - now)) > 0) {
      throw new IllegalArgumentException("ttl must end within 64 bits of milliseconds: " + ttl);
    }
    return now + ttl.toMillis();
  }
}
