package io.heatshield.store.redis;

import io.heatshield.store.Condition;
import io.heatshield.store.GuardedStore;
import io.heatshield.store.WriteResult;
import io.heatshield.store.engine.ScanPage;
import io.heatshield.store.engine.StoreException;
import io.heatshield.store.engine.Value;
import io.heatshield.testkit.store.StoreSubject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A guarded store as the contract sees it. */
final class GuardedSubject implements StoreSubject {
  private final GuardedStore store;
  private final Consumer<Duration> time;

  /**
   * Creates the view of a store.
   *
   * @param time what lets time pass
   */
  public GuardedSubject(GuardedStore store, Consumer<Duration> time) {
    this.store = store;
    this.time = time;
  }

  @Override
  public Optional<String> get(String key) {
    return text(now(store.get(bytes(key))));
  }

  @Override
  public List<Optional<String>> getAll(List<String> keys) {
    return now(store.getAll(keys.stream().map(GuardedSubject::bytes).toList())).stream()
        .map(GuardedSubject::text)
        .toList();
  }

  @Override
  public boolean put(String key, String value, Duration ttl, String condition) {
    if (condition.equals("always")) {
      return answer(
          ttl.isZero()
              ? store.put(bytes(key), bytes(value))
              : store.put(bytes(key), bytes(value), ttl));
    }
    return answer(
        store.put(
            bytes(key), Value.of(value), Condition.valueOf(condition.toUpperCase(Locale.ROOT))));
  }

  @Override
  public boolean delete(String key) {
    return now(store.delete(bytes(key)));
  }

  @Override
  public boolean exists(String key) {
    return now(store.exists(bytes(key)));
  }

  @Override
  public String increment(String key, long delta) {
    try {
      return String.valueOf(now(store.increment(bytes(key), delta)).answer());
    } catch (StoreException e) {
      return e.reason().name();
    }
  }

  @Override
  public boolean expire(String key, Duration ttl) {
    return answer(
        ttl.isZero() ? store.expire(bytes(key), Value.NEVER) : store.expire(bytes(key), ttl));
  }

  @Override
  public long ttl(String key) {
    return now(store.ttl(bytes(key)));
  }

  @Override
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

  @Override
  public long size() {
    return now(store.size());
  }

  @Override
  public void clear() {
    store.clear().toCompletableFuture().join();
  }

  @Override
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

  @Override
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
  public void elapse(Duration duration) {
    time.accept(duration);
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
