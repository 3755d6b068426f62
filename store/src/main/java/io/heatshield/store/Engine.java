package io.heatshield.store;

import java.util.List;
import java.util.concurrent.CompletionStage;
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

  /** Makes the changes of a batch, all or none, unless its expectations are not met. */
  CompletionStage<Applied> apply(Batch batch);

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

  /** Releases everything; what was acknowledged is kept if the engine keeps data at all. */
  @Override
  void close();

  /**
   * What came of a batch.
   *
   * @param done whether the changes were made; otherwise an expectation was not met
   * @param existed whether the key of each change held something before; empty unless asked for
   */
  @SuppressWarnings("ArrayRecordComponent") // Handed on once, never compared.
  record Applied(boolean done, boolean[] existed) {
    /** Made, without saying what was there. */
    public static final Applied DONE = new Applied(true, new boolean[0]);

    /** Not made, because something else was there than expected. */
    public static final Applied CONFLICT = new Applied(false, new boolean[0]);
  }
}
