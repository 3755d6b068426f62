package io.heatshield.store.engine;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The storage of a guarded store.
 *
 * <p>Any thread may call any method. A stage fails with a {@link StoreException}. An engine deletes
 * nothing on its own except as {@link #removesExpired} says: an expired value stays until a batch
 * deletes it, so that the guard always knows which keys exist.
 */
public interface Engine extends AutoCloseable {

  /** Where an engine keeps its data, which determines how the store calls it. */
  enum Location {
    /** In the memory of this process. */
    MEMORY,
    /** On a disk, which only this process writes to. */
    DISK,
    /** On a server, which others may write to. */
    REMOTE
  }

  /** Returns where the data is. */
  Location location();

  /**
   * Returns whether the guard is the only writer and every stage is complete when it is returned.
   * Calls for one key are then never made at the same time as a batch that changes it.
   */
  default boolean isLocal() {
    return location() != Location.REMOTE;
  }

  /** Returns whether calls may wait for a disk, so that event loops must not make them. */
  default boolean blocks() {
    return location() == Location.DISK;
  }

  /** Returns whether reading from memory is faster than reading from the engine. */
  default boolean isWorthCaching() {
    return location() != Location.MEMORY;
  }

  /** Returns whether the engine removes expired values, and never returns them. */
  default boolean removesExpired() {
    return location() == Location.REMOTE;
  }

  /** Returns the value of a key, even if it has expired, or null. */
  CompletionStage<@Nullable Value> get(byte[] key);

  /** Returns the value of each key, even if it has expired, or null. */
  CompletionStage<List<@Nullable Value>> getAll(List<byte[]> keys);

  /** Makes all changes of a batch or none; returns false if an expected value has changed. */
  CompletionStage<Boolean> apply(Batch batch);

  /**
   * Returns some keys and the cursor of the next page. A scan from 0 to 0 returns every key that
   * existed all the time, some perhaps twice, and may return keys that were added or deleted.
   *
   * @param cursor 0 to begin, or what the last page returned
   * @param count about how many keys to return
   */
  CompletionStage<ScanPage> scan(long cursor, int count);

  /** Passes every key that exists during the whole call to a sink, until the sink returns false. */
  void forEachKey(Predicate<byte[]> sink);

  /** Returns at most {@code max} keys whose values have expired at a Unix time in milliseconds. */
  default List<byte[]> expired(long nowMillis, int max) {
    return List.of();
  }

  /** Returns the number of keys, expired ones included. */
  CompletionStage<Long> size();

  /** Returns an estimate of the number of keys, without reading all of them. */
  default long estimatedSize() {
    return size().toCompletableFuture().join();
  }

  /** Deletes all keys. */
  CompletionStage<Void> clear();

  /**
   * Returns a number that grows with every change and survives a restart together with the data, or
   * -1 if the engine has none.
   */
  default long sequence() {
    return -1;
  }

  /** Returns the memory in bytes that the engine uses for data, as far as it knows. */
  default long bytes() {
    return 0;
  }

  /** Returns how many more bytes may be stored, as far as the engine knows. */
  default long room() {
    return Long.MAX_VALUE;
  }

  /**
   * Sets a listener for keys that another writer has changed, or null if any key may have changed.
   * An engine without other writers never calls it.
   */
  default void onForeignChange(Consumer<byte @Nullable []> listener) {}

  /** Returns whether every change by another writer is being reported. */
  default boolean reportsForeignChanges() {
    return false;
  }

  /** Returns whether the engine can store frequently written keys apart from the others. */
  default boolean supportsRouting() {
    return false;
  }

  /** Returns how many times a key was moved to the frequently written keys or back. */
  default long moves() {
    return 0;
  }

  /** Returns some of the keys that are stored apart because they were written often. */
  default List<byte[]> routedKeys(int max) {
    return List.of();
  }

  /** Moves a key back to the other keys. The caller prevents writes of the key meanwhile. */
  default void unroute(byte[] key) {}

  /** Returns some of the keys whose structures have unsaved changes. */
  default List<byte[]> unsaved(int max) {
    return List.of();
  }

  /** Saves a key's structure if it has changed. The caller prevents writes of the key meanwhile. */
  default void save(byte[] key) {}

  /** Returns the faults that keep the engine from working normally. */
  default EngineFaults faults() {
    return EngineFaults.NONE;
  }

  /** Does periodic work, such as retrying what the disk has refused. */
  default void maintain() {}

  /** Closes the engine; a persistent engine keeps every acknowledged write. */
  @Override
  void close();
}
