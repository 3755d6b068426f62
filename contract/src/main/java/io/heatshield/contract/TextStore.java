package io.heatshield.contract;

import io.heatshield.store.Condition;
import io.heatshield.store.GuardedStore;
import io.heatshield.store.WriteResult;
import io.heatshield.store.engine.ScanPage;
import io.heatshield.store.engine.StoreException;
import io.heatshield.store.engine.Value;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A guarded store with texts as keys and values, whose calls wait for their results. */
public final class TextStore implements AutoCloseable {
  private final GuardedStore store;

  /** Creates the view of a store, which it closes. */
  public TextStore(GuardedStore store) {
    this.store = store;
  }

  /** Returns the store. */
  public GuardedStore guarded() {
    return store;
  }

  /** Returns the value of a key. */
  public Optional<String> get(String key) {
    return text(now(store.get(bytes(key))));
  }

  /** Returns the value of each key. */
  public List<Optional<String>> getAll(List<String> keys) {
    return now(store.getAll(keys.stream().map(TextStore::bytes).toList())).stream()
        .map(TextStore::text)
        .toList();
  }

  /** Sets the value of a key. */
  public void put(String key, String value) {
    answer(store.put(bytes(key), bytes(value)));
  }

  /** Sets the value of a key, with a time to live. */
  public void put(String key, String value, Duration ttl) {
    answer(store.put(bytes(key), bytes(value), ttl));
  }

  /** Sets the value of a key under a condition, and returns whether it was met. */
  public boolean put(String key, String value, Condition condition) {
    return answer(store.put(bytes(key), Value.of(value), condition));
  }

  /** Deletes a key and returns whether it had a value. */
  public boolean delete(String key) {
    return now(store.delete(bytes(key)));
  }

  /** Returns whether a key has a value. */
  public boolean exists(String key) {
    return now(store.exists(bytes(key)));
  }

  /** Adds to a number and returns the sum, or the name of the reason for which it failed. */
  public String increment(String key, long delta) {
    try {
      return String.valueOf(now(store.increment(bytes(key), delta)).answer());
    } catch (StoreException e) {
      return e.reason().name();
    }
  }

  /** Sets the time to live of a value; zero for no expiry. */
  public boolean expire(String key, Duration ttl) {
    return answer(
        ttl.isZero() ? store.expire(bytes(key), Value.NEVER) : store.expire(bytes(key), ttl));
  }

  /** Returns the time to live in milliseconds, -1 for no expiry, -2 for no value. */
  public long ttl(String key) {
    return now(store.ttl(bytes(key)));
  }

  /** Returns all keys that a scan finds. */
  public Set<String> scan(int count) {
    var keys = new HashSet<String>();
    long cursor = 0;
    do {
      ScanPage page = now(store.scan(cursor, count));
      page.keys().forEach(found -> keys.add(new String(found.key(), StandardCharsets.UTF_8)));
      cursor = page.cursor();
    } while (cursor != 0);
    return keys;
  }

  /** Returns the number of keys. */
  public long size() {
    return now(store.size());
  }

  /** Deletes everything. */
  public void clear() {
    store.clear().toCompletableFuture().join();
  }

  /** Sets several keys atomically if none of them exists. */
  public boolean putAllIfNoneExists(Map<String, String> values) {
    var keys = new ArrayList<byte[]>();
    values.keySet().forEach(key -> keys.add(bytes(key)));
    return answer(
        store.update(
            keys,
            view -> {
              for (byte[] key : keys) {
                if (view.get(key) != null) {
                  return false;
                }
              }
              values.forEach((key, value) -> view.put(bytes(key), Value.of(value)));
              return true;
            }));
  }

  /** Appends each text to the value of its key, atomically. */
  public void appendAll(Map<String, String> suffixes) {
    var keys = new ArrayList<byte[]>();
    suffixes.keySet().forEach(key -> keys.add(bytes(key)));
    now(
        store.update(
            keys,
            view -> {
              suffixes.forEach(
                  (key, suffix) -> {
                    Value before = view.get(bytes(key));
                    view.put(bytes(key), Value.of((before == null ? "" : before.text()) + suffix));
                  });
              return true;
            }));
  }

  @Override
  public void close() {
    store.close();
  }

  /** Returns the UTF-8 of a text. */
  public static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Waits for an answer, and throws the store's own exception. */
  public static <T> T now(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof StoreException cause) {
        throw cause;
      }
      throw e;
    }
  }

  private static boolean answer(CompletionStage<WriteResult<Boolean>> stage) {
    return Boolean.TRUE.equals(now(stage).answer());
  }

  private static Optional<String> text(@Nullable Value value) {
    return Optional.ofNullable(value).map(Value::text);
  }
}
