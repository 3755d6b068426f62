package io.heatshield.rocksdb;

import io.heatshield.store.engine.Batch;
import io.heatshield.store.engine.ChangeSequence;
import io.heatshield.store.engine.Engine;
import io.heatshield.store.engine.EngineFaults;
import io.heatshield.store.engine.ExpirySweep;
import io.heatshield.store.engine.FaultReports;
import io.heatshield.store.engine.KeyRouting;
import io.heatshield.store.engine.ScanPage;
import io.heatshield.store.engine.SpaceUse;
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
 * <p>A write is acknowledged when it is in the write-ahead log. A crash of the process loses no
 * acknowledged write; a crash of the machine loses those that the operating system had not written
 * to the disk. A key is in exactly one of two column families, cold or hot, and is moved in one
 * atomic batch.
 */
public final class RocksEngine
    implements Engine, ExpirySweep, ChangeSequence, SpaceUse, FaultReports, KeyRouting {
  /** The most memory of the set of keys that are stored with the hot ones, in bytes. */
  public static final long MAX_HOT_KEY_BYTES = (long) HotKeyIndex.MAX_KEYS * HotKeyIndex.BYTES_EACH;

  /*
   * A walk over all keys is made of many calls, so that closing does not wait for its end.
   *
   * An iterator that reaches a damaged block becomes invalid, just as at its end. So a walk checks
   * the status; otherwise the keys after the block would be taken for absent. Expired values before
   * the damage are still returned and deleted.
   */
  private static final CompletionStage<Boolean> DONE = CompletableFuture.completedFuture(true);
  private static final int WALK_KEYS = 1000;

  private final RocksCalls calls;

  private RocksEngine(RocksCalls calls) {
    this.calls = calls;
  }

  /**
   * Opens the data in a folder, or creates an empty folder.
   *
   * @throws StoreException if the folder is in use, cannot be written to, is on a full disk or
   *     contains damaged data
   */
  public static RocksEngine open(RocksOptions options) {
    return new RocksEngine(RocksCalls.open(options));
  }

  @Override
  public Location location() {
    return Location.DISK;
  }

  @Override
  public CompletionStage<@Nullable Value> get(byte[] key) {
    return call(on -> CompletableFuture.<@Nullable Value>completedFuture(on.data.read(key)));
  }

  @Override
  public CompletionStage<List<@Nullable Value>> getAll(List<byte[]> keys) {
    return call(
        on -> {
          var values = new ArrayList<@Nullable Value>(keys.size());
          for (byte[] key : keys) {
            values.add(on.data.read(key));
          }
          return CompletableFuture.completedFuture(values);
        });
  }

  @Override
  public CompletionStage<Boolean> apply(Batch batch) {
    return call(
        on -> {
          on.data.write(batch.changes());
          return DONE;
        });
  }

  @Override
  public CompletionStage<ScanPage> scan(long cursor, int count) {
    return call(on -> CompletableFuture.completedFuture(on.scans.next(cursor, count)));
  }

  /** Visits every key as of one moment. */
  @Override
  public void forEachKey(Predicate<byte[]> sink) {
    RocksCalls.Opened opened = calls.run(on -> on);
    Snapshot snapshot = calls.runOn(opened, on -> on.database.db.getSnapshot());
    try (var reading = new ReadOptions().setSnapshot(snapshot).setFillCache(false)) {
      if (walk(opened, opened.database.cold, reading, sink)) {
        walk(opened, opened.database.hot, reading, place -> sink.test(HotKeyIndex.keyOf(place)));
      }
    } finally {
      calls.runIfOpen(
          opened,
          on -> {
            on.database.db.releaseSnapshot(snapshot);
            return true;
          });
    }
  }

  @Override
  public List<byte[]> expired(long nowMillis, int max) {
    return calls.run(
        on -> {
          var keys = new ArrayList<byte[]>();
          try (RocksIterator at =
              on.database.db.newIterator(on.database.expiries, on.database.reading)) {
            for (at.seekToFirst(); at.isValid() && keys.size() < max; at.next()) {
              byte[] entry = at.key();
              if (ValueFormat.expiryOf(entry) > nowMillis) {
                break;
              }
              keys.add(ValueFormat.keyOf(entry));
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
          forEachKey(
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
            on.database.db.getLongProperty(on.database.cold, "rocksdb.estimate-num-keys")
                + on.database.db.getLongProperty(on.database.hot, "rocksdb.estimate-num-keys"));
  }

  @Override
  public CompletionStage<Void> clear() {
    return call(
        on -> {
          try (var all = new WriteBatch()) {
            for (ColumnFamilyHandle family :
                List.of(on.database.cold, on.database.hot, on.database.expiries)) {
              try (RocksIterator at = on.database.db.newIterator(family, on.database.reading)) {
                at.seekToLast();
                at.status();
                if (at.isValid()) {
                  byte[] last = at.key();
                  all.deleteRange(family, new byte[0], last);
                  all.delete(family, last);
                }
              }
            }
            on.database.db.write(on.database.writing, all);
          }
          on.data.hotKeys().clear();
          return CompletableFuture.completedFuture(null);
        });
  }

  @Override
  public long sequence() {
    return calls.run(on -> on.database.db.getLatestSequenceNumber());
  }

  @Override
  public long bytes() {
    return calls.run(
        on ->
            on.database.db.getLongProperty(on.database.cold, "rocksdb.block-cache-usage")
                + on.database.db.getLongProperty(
                    on.database.cold, "rocksdb.cur-size-all-mem-tables")
                + on.database.db.getLongProperty(on.database.hot, "rocksdb.cur-size-all-mem-tables")
                + on.data.hotKeys().bytes());
  }

  @Override
  public long moves() {
    return calls.moves();
  }

  @Override
  public List<byte[]> routedKeys(int max) {
    return calls.run(on -> on.data.routedKeys(max));
  }

  @Override
  public void unroute(byte[] key) {
    calls.run(
        on -> {
          on.data.unroute(key);
          return true;
        });
  }

  /** Returns how many bytes compaction has written since the start, if that is measured. */
  public long compactedBytes() {
    return calls.run(on -> on.database.compactedBytes());
  }

  /** Flushes the memory into files and merges them, for measurements. */
  public void compact() {
    calls.run(
        on -> {
          on.database.db.compactRange(on.database.cold);
          on.database.db.compactRange(on.database.hot);
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

  /** Flushes the memory into files and closes them. */
  @Override
  public void close() {
    calls.close();
  }

  private boolean walk(
      RocksCalls.Opened opened,
      ColumnFamilyHandle family,
      ReadOptions reading,
      Predicate<byte[]> sink) {
    byte[] from = new byte[0];
    while (true) {
      byte[] start = from;
      var keys = new ArrayList<byte[]>(WALK_KEYS);
      calls.runOn(
          opened,
          on -> {
            try (RocksIterator at = on.database.db.newIterator(family, reading)) {
              for (at.seek(start); at.isValid() && keys.size() < WALK_KEYS; at.next()) {
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
      if (keys.size() < WALK_KEYS) {
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
