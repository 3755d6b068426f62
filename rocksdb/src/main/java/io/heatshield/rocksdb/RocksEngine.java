package io.heatshield.rocksdb;

import io.heatshield.store.engine.Batch;
import io.heatshield.store.engine.Engine;
import io.heatshield.store.engine.EngineFaults;
import io.heatshield.store.engine.ScanPage;
import io.heatshield.store.engine.StoreException;
import io.heatshield.store.engine.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksIterator;
import org.rocksdb.Snapshot;
import org.rocksdb.WriteBatch;

/**
 * An engine on disk, in RocksDB.
 *
 * <p>A write is acknowledged when it is in the write-ahead log: the death of the process loses none
 * of them, that of the machine those that the system had not written to the disk. A key lives on
 * exactly one of two sides, cold or hot, and moves in one atomic batch.
 */
public final class RocksEngine implements Engine {
  /*
   * A walk over all keys is made of many calls, so that closing does not wait for its end.
   *
   * An iterator that meets a damaged block is not valid any more, just as at its end: a walk
   * therefore checks the status, or the keys behind the block would be taken for absent. Expired
   * values before the damage are still reported and deleted.
   */
  private static final CompletionStage<Boolean> DONE = CompletableFuture.completedFuture(true);
  private static final int WALKED_AT_ONCE = 1000;

  private final RocksCalls calls;

  private RocksEngine(RocksCalls calls) {
    this.calls = calls;
  }

  /**
   * Opens the data in a folder, or makes an empty one.
   *
   * @throws StoreException if the folder is in use, can not be written to, is on a full disk or
   *     holds damaged data
   */
  public static RocksEngine open(RocksOptions options) {
    return new RocksEngine(RocksCalls.open(options));
  }

  @Override
  public boolean isLocal() {
    return true;
  }

  @Override
  public boolean blocks() {
    return true;
  }

  @Override
  public boolean isWorthCaching() {
    return true;
  }

  @Override
  public boolean expiresByItself() {
    return false;
  }

  @Override
  public CompletionStage<@Nullable Value> get(byte[] key) {
    return call(on -> CompletableFuture.<@Nullable Value>completedFuture(on.sides().read(key)));
  }

  @Override
  public CompletionStage<List<@Nullable Value>> getAll(List<byte[]> keys) {
    return call(
        on -> {
          var values = new ArrayList<@Nullable Value>(keys.size());
          for (byte[] key : keys) {
            values.add(on.sides().read(key));
          }
          return CompletableFuture.completedFuture(values);
        });
  }

  @Override
  public CompletionStage<Boolean> apply(Batch batch) {
    return call(
        on -> {
          on.sides().write(batch.changes());
          return DONE;
        });
  }

  @Override
  public CompletionStage<ScanPage> scan(long cursor, int count) {
    return call(on -> CompletableFuture.completedFuture(on.scans().next(cursor, count)));
  }

  @Override
  public void forEachKey(Predicate<byte[]> sink) {
    walk(sink);
  }

  @Override
  public List<byte[]> expired(long nowMillis, int max) {
    return calls.run(
        on -> {
          var keys = new ArrayList<byte[]>();
          try (RocksIterator at =
              on.families().db.newIterator(on.families().ends, on.families().reading)) {
            for (at.seekToFirst(); at.isValid() && keys.size() < max; at.next()) {
              byte[] entry = at.key();
              if (StoredForm.endOf(entry) > nowMillis) {
                break;
              }
              keys.add(StoredForm.keyOf(entry));
            }
            if (keys.isEmpty()) {
              at.status();
            }
          }
          return keys;
        });
  }

  /** Walks over all keys. */
  @Override
  public CompletionStage<Long> size() {
    return call(
        on -> {
          long[] count = new long[1];
          walk(
              key -> {
                count[0]++;
                return true;
              });
          return CompletableFuture.completedFuture(count[0]);
        });
  }

  @Override
  public long estimatedSize() {
    return calls.run(
        on ->
            on.families().db.getLongProperty(on.families().cold, "rocksdb.estimate-num-keys")
                + on.families().db.getLongProperty(on.families().hot, "rocksdb.estimate-num-keys"));
  }

  @Override
  public CompletionStage<Void> clear() {
    return call(
        on -> {
          try (var all = new WriteBatch()) {
            for (ColumnFamilyHandle family :
                List.of(on.families().cold, on.families().hot, on.families().ends)) {
              try (RocksIterator at = on.families().db.newIterator(family, on.families().reading)) {
                at.seekToLast();
                at.status();
                if (at.isValid()) {
                  byte[] last = at.key();
                  all.deleteRange(family, new byte[0], last);
                  all.delete(family, last);
                }
              }
            }
            on.families().db.write(on.families().writing, all);
          }
          on.sides().places().clear();
          return CompletableFuture.completedFuture(null);
        });
  }

  @Override
  public long sequence() {
    return calls.run(on -> on.families().db.getLatestSequenceNumber());
  }

  @Override
  public long bytes() {
    return calls.run(
        on ->
            on.families().db.getLongProperty(on.families().cold, "rocksdb.block-cache-usage")
                + on.families()
                    .db
                    .getLongProperty(on.families().cold, "rocksdb.cur-size-all-mem-tables")
                + on.families()
                    .db
                    .getLongProperty(on.families().hot, "rocksdb.cur-size-all-mem-tables")
                + on.sides().places().bytes());
  }

  @Override
  public boolean keepsApart() {
    return true;
  }

  @Override
  public long moves() {
    return calls.moves();
  }

  @Override
  public List<byte[]> apart(int max) {
    return calls.run(on -> on.sides().apart(max));
  }

  @Override
  public void rejoin(byte[] key) {
    calls.run(
        on -> {
          on.sides().rejoin(key);
          return true;
        });
  }

  /** Returns how many bytes compaction has written since it was opened, if that is measured. */
  public long compactedBytes() {
    return calls.run(on -> on.families().compactedBytes());
  }

  /** Writes what is in memory into files and merges them, for measurements. */
  public void compact() {
    calls.run(
        on -> {
          on.families().db.compactRange(on.families().cold);
          on.families().db.compactRange(on.families().hot);
          return true;
        });
  }

  @Override
  public EngineFaults faults() {
    return calls.faults();
  }

  @Override
  public void maintain() {
    calls.maintain();
  }

  /** Writes what is in memory into files and closes them. */
  @Override
  public void close() {
    calls.close();
  }

  /** Tells every key as of one moment. */
  private void walk(Predicate<byte[]> sink) {
    RocksCalls.Opened opened = calls.run(on -> on);
    Snapshot snapshot = calls.runOn(opened, on -> on.families().db.getSnapshot());
    try (var reading = new ReadOptions().setSnapshot(snapshot).setFillCache(false)) {
      if (walk(opened, opened.families().cold, reading, sink)) {
        walk(opened, opened.families().hot, reading, place -> sink.test(HotPlaces.keyAt(place)));
      }
    } finally {
      calls.runIfOpen(
          opened,
          on -> {
            on.families().db.releaseSnapshot(snapshot);
            return true;
          });
    }
  }

  private boolean walk(
      RocksCalls.Opened opened,
      ColumnFamilyHandle side,
      ReadOptions reading,
      Predicate<byte[]> sink) {
    byte[] from = new byte[0];
    while (true) {
      byte[] start = from;
      var keys = new ArrayList<byte[]>(WALKED_AT_ONCE);
      calls.runOn(
          opened,
          on -> {
            try (RocksIterator at = on.families().db.newIterator(side, reading)) {
              for (at.seek(start); at.isValid() && keys.size() < WALKED_AT_ONCE; at.next()) {
                keys.add(at.key());
              }
              at.status();
              return true;
            }
          });
      for (byte[] key : keys) {
        if (!sink.test(key)) {
          return false;
        }
      }
      if (keys.size() < WALKED_AT_ONCE) {
        return true;
      }
      byte[] last = keys.get(keys.size() - 1);
      from = Arrays.copyOf(last, last.length + 1);
    }
  }

  private <T> CompletionStage<T> call(RocksCalls.Call<CompletionStage<T>> call) {
    try {
      return calls.run(call);
    } catch (StoreException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
