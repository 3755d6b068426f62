package io.heatshield.store.engine;

import io.heatshield.store.call.Stages;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The storage of a guarded store: what the author of a back end implements.
 *
 * <pre>{@code
 * final class MapEngine implements Engine {
 *   private final ConcurrentSkipListMap<byte[], Value> map =
 *       new ConcurrentSkipListMap<>(Arrays::compare);
 *
 *   public Location location() {
 *     return Location.MEMORY;
 *   }
 *
 *   public CompletionStage<Value> get(byte[] key) {
 *     return CompletableFuture.completedFuture(map.get(key));
 *   }
 *
 *   public CompletionStage<Boolean> apply(Batch batch) {
 *     for (Batch.Change change : batch.changes()) {
 *       if (change.after() == null) {
 *         map.remove(change.key());
 *       } else {
 *         map.put(change.key(), change.after());
 *       }
 *     }
 *     return CompletableFuture.completedFuture(true);
 *   }
 *
 *   public void forEachKey(Predicate<byte[]> sink) {
 *     map.keySet().stream().allMatch(sink);
 *   }
 *
 *   public void close() {}
 * }
 * }</pre>
 *
 * <p>The other methods have defaults, which an engine overrides if it can do better. What only some
 * engines can do is a <em>capability</em>, an interface of its own that an engine implements in
 * addition:
 *
 * <ul>
 *   <li>{@link ExpirySweep} finds expired values, so that the store deletes them.
 *   <li>{@link ChangeSequence} lets the store keep its filter over a restart.
 *   <li>{@link ChangeReports} reports the changes of other writers.
 *   <li>{@link SpaceUse} knows the memory in use and the room that is left.
 *   <li>{@link FaultReports} reports faults of a disk.
 *   <li>{@link InlineCalls} reads and sets single keys without a stage.
 *   <li>{@link KeyRouting} stores keys apart that are written often.
 *   <li>{@link DeferredWrites} writes some changes later.
 * </ul>
 *
 * <p>Any thread may call any method. A stage fails with a {@link StoreException}. Keys and values
 * are not copied; an engine must not change them. An engine deletes nothing on its own except as
 * {@link #removesExpired} says: an expired value stays until a batch deletes it, so that the guard
 * always knows which keys exist. The suite {@code EngineContract} in {@code heatshield-contract}
 * tests an engine with its capabilities.
 */
public interface Engine extends AutoCloseable {

  /** Where an engine keeps its data, which determines how the store calls it. */
  enum Location {
    /** In the memory of this process. */
    MEMORY,
    /** On a disk, which only this process writes to. */
    DISK,
    /** On a server, which others may write to. */
    REMOTE;

    /**
     * Returns whether the store is the only writer and every stage is complete when it is returned.
     * Calls for one key are then never made at the same time as a batch that changes it.
     */
    public boolean isLocal() {
      return this != REMOTE;
    }
  }

  /** Returns where the data is; always the same. */
  Location location();

  /** Returns the value of a key, even if it has expired, or null. */
  CompletionStage<@Nullable Value> get(byte[] key);

  /**
   * Makes all changes of a batch or none. Returns false, and changes nothing, if an expected value
   * has changed; only an engine that is not {@linkplain Location#isLocal local} has to check that.
   */
  CompletionStage<Boolean> apply(Batch batch);

  /**
   * Passes every key that exists during the whole call to a sink, until the sink returns false. It
   * may also pass keys that were added or deleted meanwhile, and a key twice. It may take long, and
   * may block.
   */
  void forEachKey(Predicate<byte[]> sink);

  /** Closes the engine; a persistent engine keeps every acknowledged write. */
  @Override
  void close();

  /** Returns the value of each key, even if it has expired, or null; by default one by one. */
  default CompletionStage<List<@Nullable Value>> getAll(List<byte[]> keys) {
    CompletionStage<List<@Nullable Value>> all =
        CompletableFuture.completedFuture(new ArrayList<>(keys.size()));
    for (byte[] key : keys) {
      CompletionStage<@Nullable Value> one = get(key);
      all =
          Stages.compose(
              all,
              values ->
                  Stages.then(
                      one,
                      value -> {
                        values.add(value);
                        return values;
                      }));
    }
    return all;
  }

  /**
   * Returns some keys and the cursor of the next page. A scan from 0 to 0 returns every key that
   * existed all the time, some perhaps twice, and may return keys that were added or deleted. By
   * default each page walks over all keys.
   *
   * @param cursor 0 to begin, or the one of the last page
   * @param count about how many keys to return
   */
  default CompletionStage<ScanPage> scan(long cursor, int count) {
    return HashOrderScan.page(this, cursor, count);
  }

  /** Returns the number of keys, expired ones included; by default walks over all keys. */
  default CompletionStage<Long> size() {
    var count = new long[1];
    forEachKey(
        key -> {
          count[0]++;
          return true;
        });
    return CompletableFuture.completedFuture(count[0]);
  }

  /** Returns an estimate of the number of keys; by default {@link #size}. */
  default long estimatedSize() {
    return size().toCompletableFuture().join();
  }

  /** Deletes all keys; by default in batches of {@value DeleteAll#BATCH}. */
  default CompletionStage<Void> clear() {
    return DeleteAll.of(this);
  }

  /**
   * Returns whether calls may wait for a disk or a network, so that event loops must not make them;
   * by default if the data is on a disk.
   */
  default boolean blocks() {
    return location() == Location.DISK;
  }

  /**
   * Returns whether the engine removes expired values itself, and never returns them; false by
   * default.
   */
  default boolean removesExpired() {
    return false;
  }

  /** Does periodic work, such as retrying what the disk has refused; by default nothing. */
  default void maintain() {}

  /**
   * Returns a capability of this engine, if it has it.
   *
   * <p>A decorator that extends {@link ForwardingEngine} has those of the engine below.
   *
   * @param type one of the interfaces in this package
   */
  default <T> Optional<T> capability(Class<T> type) {
    return type.isInstance(this) ? Optional.of(type.cast(this)) : Optional.empty();
  }
}
