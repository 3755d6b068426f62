package io.heatshield.guard;

import io.heatshield.action.Action;
import io.heatshield.action.Mode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads through {@link HotValues}: from memory, by joining a pending load, or by a new load.
 *
 * <p>Joining is the action {@code flights}. A read that joins a load gets its result, even if the
 * key is invalidated meanwhile; a read that begins after the invalidation does not join it. Any
 * thread may call any method.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public final class ReadThrough<K extends HashedKey, V> {
  /** A hot key whose value is not kept is loaded only at every fourth read. */
  private static final int LOAD_EVERY = 4;

  private final HotValues<K, V> values;
  private final Action joining;
  private final LongAdder joined = new LongAdder();

  /** Creates the read path over these values, with the mode of joining. */
  public ReadThrough(GuardContext context, HotValues<K, V> values, Mode mode) {
    this.values = values;
    this.joining = context.action("flights", mode);
  }

  /** Changes the limits of the values, and with them the mode of joining. */
  public void tune(HotValues.Limits limits) {
    joining.mode(limits.mode());
    values.tune(limits);
  }

  /** Returns the values that are kept. */
  public HotValues<K, V> values() {
    return values;
  }

  /** Returns the number of reads that joined the load of another. */
  public long joined() {
    return joined.sum();
  }

  /**
   * Returns the value of a key, or null if there is none. Values of hot keys are kept.
   *
   * @param loader reads the key from the backend
   */
  public CompletionStage<@Nullable V> get(K key, Supplier<CompletionStage<@Nullable V>> loader) {
    V kept = getIfKept(key, loader);
    if (kept != null) {
      return CompletableFuture.completedFuture(kept);
    }
    Load<K, V> load = values.newLoad(key);
    Load<K, V> pending = values.register(load);
    if (pending == null) {
      begin(load, loader);
      return load.result();
    }
    if (joining.apply(1, key.hash())) {
      joined.increment();
      return pending.result().thenApply(value -> touched(key, value));
    }
    return call(loader).thenApply(value -> touched(key, value));
  }

  /**
   * Returns the kept value of a key if it may be served, else null. A hot value in the last quarter
   * of its maximum age is reloaded.
   */
  public @Nullable V getIfKept(K key, Supplier<CompletionStage<@Nullable V>> loader) {
    HotValues.Entry<V> entry = values.serveEntry(key);
    if (entry == null) {
      return null;
    }
    if (values.touch(key) && values.isAgeing(entry)) {
      loadAhead(key, loader);
    }
    return entry.value();
  }

  /** Counts a read that bypassed the memory, such as a scan's, and loads the key if it is hot. */
  public void readPast(K key, Supplier<CompletionStage<@Nullable V>> loader) {
    if (!values.isOn()) {
      return;
    }
    long beyond = values.count(key) - values.threshold(key);
    if (beyond >= 0 && beyond % LOAD_EVERY == 0 && values.isWanted(key)) {
      loadAhead(key, loader);
    }
  }

  private void begin(Load<K, V> load, Supplier<CompletionStage<@Nullable V>> loader) {
    call(loader)
        .whenComplete(
            (value, failure) ->
                end(load, value, failure, value != null && values.touch(load.key())));
  }

  private void loadAhead(K key, Supplier<CompletionStage<@Nullable V>> loader) {
    Load<K, V> load = values.begin(key);
    if (load != null) {
      call(loader).whenComplete((value, failure) -> end(load, value, failure, true));
    }
  }

  /** Calls the loader; the stage fails with what the loader throws. */
  private static <V> CompletionStage<@Nullable V> call(
      Supplier<CompletionStage<@Nullable V>> loader) {
    try {
      return loader.get();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void end(Load<K, V> load, @Nullable V value, @Nullable Throwable failure, boolean keeps) {
    if (keeps && value != null) {
      values.complete(load, value);
    } else {
      values.abandon(load);
    }
    load.resolve(value, failure);
  }

  private @Nullable V touched(K key, @Nullable V value) {
    if (value != null) {
      values.touch(key);
    }
    return value;
  }
}
