package io.heatshield.store.engine;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What holds the data of a store.
 *
 * <p>Any thread may call any method. A stage that fails does so with a {@link StoreException}. An
 * engine takes nothing away by itself except as {@link #expiresByItself} says: what has ended stays
 * until a batch deletes it, so that whoever guards the engine knows what is in it.
 */
public interface Engine extends AutoCloseable {

  /**
   * Returns whether the guard is the only writer and every stage is complete when it is returned.
   * Calls for one key are then never made at the same time as a batch that changes it.
   */
  boolean isLocal();

  /** Returns whether calls may wait for a disk, so that event loops must not make them. */
  boolean blocks();

  /** Returns whether reading from memory is any faster than asking the engine. */
  boolean isWorthCaching();

  /** Returns whether the engine drops what has ended, and never returns it. */
  boolean expiresByItself();

  /** Returns what a key holds, even if that has ended, or null. */
  CompletionStage<@Nullable Value> get(byte[] key);

  /** Returns what each key holds, even if that has ended, or null. */
  CompletionStage<List<@Nullable Value>> getAll(List<byte[]> keys);

  /**
   * Makes the changes of a batch, all or none, and returns true; or returns false because an
   * expectation is not met.
   */
  CompletionStage<Boolean> apply(Batch batch);

  /**
   * Returns some keys and where to go on. A scan from 0 to 0 tells every key that was there all the
   * time, some perhaps twice, and may tell those that came or went.
   *
   * @param cursor 0 to begin, or what the last page returned
   * @param count about how many keys to return
   */
  CompletionStage<ScanPage> scan(long cursor, int count);

  /** Tells every key that is there during the whole call, until the sink returns false. */
  void forEachKey(Predicate<byte[]> sink);

  /** Returns keys whose values have ended at this Unix time in milliseconds, at most so many. */
  List<byte[]> expired(long nowMillis, int max);

  /** Returns how many keys there are, those that have ended included. */
  CompletionStage<Long> size();

  /** Deletes everything. */
  CompletionStage<Void> clear();

  /**
   * Returns a number that grows with every change and survives a restart together with the data, or
   * -1 if the engine has none.
   */
  long sequence();

  /** Returns the memory in bytes that the engine takes for data, as far as it knows. */
  long bytes();

  /**
   * Calls somebody with each key that another writer changed, or with null when any may have been.
   * An engine without other writers never does.
   */
  default void onForeignChange(Consumer<byte @Nullable []> listener) {}

  /** Returns whether every foreign change is being told. */
  default boolean tellsForeignChanges() {
    return false;
  }

  /** Returns whether the engine can keep keys apart that are written often. */
  default boolean keepsApart() {
    return false;
  }

  /** Returns how many keys were moved between those written often and the others. */
  default long moves() {
    return 0;
  }

  /** Returns some of the keys that are kept apart because they were written often. */
  default List<byte[]> apart(int max) {
    return List.of();
  }

  /** Moves a key back among the others; nobody writes it meanwhile. */
  default void rejoin(byte[] key) {}

  /** Returns the bytes that may still be put, as far as the engine knows. */
  default long room() {
    return Long.MAX_VALUE;
  }

  /** Returns some of the keys whose structures have changed since they were written. */
  default List<byte[]> unsaved(int max) {
    return List.of();
  }

  /** Writes the structure of a key if it has changed; nobody writes the key meanwhile. */
  default void save(byte[] key) {}

  /** Returns about how many keys there are, without a walk over them. */
  default long estimatedSize() {
    return size().toCompletableFuture().join();
  }

  /** Returns what keeps the engine from doing all of its work. */
  default EngineFaults faults() {
    return EngineFaults.NONE;
  }

  /** Does what is due beside calls, such as trying again what the disk refused. */
  default void maintain() {}

  /** Releases everything; what was acknowledged is kept if the engine keeps data at all. */
  @Override
  void close();
}
