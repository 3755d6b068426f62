package io.heatshield.rocksdb;

import io.heatshield.store.Batch;
import io.heatshield.store.Engine;
import io.heatshield.store.ScanPage;
import io.heatshield.store.StoreException;
import io.heatshield.store.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
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
   * Nothing of RocksDB may be called once it is closed: every call holds the gate for reading, and closing takes it for
   * writing. A walk over all keys opens it between parts, so that closing does not wait for its end.
   *
   * An iterator that meets a damaged block is not valid any more, just as at its end: whoever walks asks for its status
   * then, or what lies behind would be taken for absent. What has ended before the damage is told, and goes.
   */
  private static final CompletionStage<Boolean> DONE = CompletableFuture.completedFuture(true);
  private static final int WALKED_AT_ONCE = 1000;

  private final Families families;
  private final Sides sides;
  private final Scans scans;
  private final ReentrantReadWriteLock gate = new ReentrantReadWriteLock();
  private volatile boolean closed;

  private RocksEngine(Families families, Sides sides) {
    this.families = families;
    this.sides = sides;
    this.scans = new Scans(families);
  }

  /**
   * Opens the data in a folder, or makes an empty one.
   *
   * @throws StoreException if the folder is in use, can not be written to or is on a full disk
   */
  public static RocksEngine open(RocksOptions options) {
    Families families = Families.open(options);
    try {
      return new RocksEngine(families, new Sides(families, options.hotBuckets()));
    } catch (RocksDBException e) {
      families.close();
      throw RocksFailure.toOpen(options.folder(), e);
    }
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
    return call(() -> CompletableFuture.<@Nullable Value>completedFuture(sides.read(key)));
  }

  @Override
  public CompletionStage<List<@Nullable Value>> getAll(List<byte[]> keys) {
    return call(
        () -> {
          var values = new ArrayList<@Nullable Value>(keys.size());
          for (byte[] key : keys) {
            values.add(sides.read(key));
          }
          return CompletableFuture.completedFuture(values);
        });
  }

  @Override
  public CompletionStage<Boolean> apply(Batch batch) {
    return call(
        () -> {
          sides.write(batch.changes());
          return DONE;
        });
  }

  @Override
  public CompletionStage<ScanPage> scan(long cursor, int count) {
    return call(() -> CompletableFuture.completedFuture(scans.next(cursor, count)));
  }

  @Override
  public void forEachKey(Predicate<byte[]> sink) {
    walk(sink);
  }

  @Override
  public List<byte[]> expired(long nowMillis, int max) {
    return run(
        () -> {
          var keys = new ArrayList<byte[]>();
          try (RocksIterator at = families.db.newIterator(families.ends, families.reading)) {
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
        () -> {
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
    return run(
        () ->
            families.db.getLongProperty(families.cold, "rocksdb.estimate-num-keys")
                + families.db.getLongProperty(families.hot, "rocksdb.estimate-num-keys"));
  }

  @Override
  public CompletionStage<Void> clear() {
    return call(
        () -> {
          try (var all = new WriteBatch()) {
            for (ColumnFamilyHandle family : List.of(families.cold, families.hot, families.ends)) {
              try (RocksIterator at = families.db.newIterator(family, families.reading)) {
                at.seekToLast();
                at.status();
                if (at.isValid()) {
                  byte[] last = at.key();
                  all.deleteRange(family, new byte[0], last);
                  all.delete(family, last);
                }
              }
            }
            families.db.write(families.writing, all);
          }
          sides.places().clear();
          return CompletableFuture.completedFuture(null);
        });
  }

  @Override
  public long sequence() {
    return run(families.db::getLatestSequenceNumber);
  }

  @Override
  public long bytes() {
    return run(
            () ->
                families.db.getLongProperty(families.cold, "rocksdb.block-cache-usage")
                    + families.db.getLongProperty(families.cold, "rocksdb.cur-size-all-mem-tables")
                    + families.db.getLongProperty(families.hot, "rocksdb.cur-size-all-mem-tables"))
        + sides.places().bytes();
  }

  @Override
  public boolean keepsApart() {
    return true;
  }

  @Override
  public long moves() {
    return sides.places().moves();
  }

  @Override
  public List<byte[]> apart(int max) {
    return run(() -> sides.apart(max));
  }

  @Override
  public void rejoin(byte[] key) {
    run(
        () -> {
          sides.rejoin(key);
          return true;
        });
  }

  /** Returns how many bytes compaction has written since it was opened, if that is measured. */
  public long compactedBytes() {
    return run(families::compactedBytes);
  }

  /** Writes what is in memory into files and merges them, for measurements. */
  public void compact() {
    run(
        () -> {
          families.db.compactRange(families.cold);
          families.db.compactRange(families.hot);
          return true;
        });
  }

  @Override
  public void close() {
    gate.writeLock().lock();
    try {
      if (!closed) {
        closed = true;
        scans.close();
        families.close();
      }
    } finally {
      gate.writeLock().unlock();
    }
  }

  /** Tells every key as of one moment. */
  private void walk(Predicate<byte[]> sink) {
    Snapshot snapshot = run(families.db::getSnapshot);
    try (var reading = new ReadOptions().setSnapshot(snapshot).setFillCache(false)) {
      if (walk(families.cold, reading, sink)) {
        walk(families.hot, reading, place -> sink.test(HotPlaces.keyAt(place)));
      }
    } finally {
      release(snapshot);
    }
  }

  private boolean walk(ColumnFamilyHandle side, ReadOptions reading, Predicate<byte[]> sink) {
    byte[] from = new byte[0];
    while (true) {
      byte[] start = from;
      var keys = new ArrayList<byte[]>(WALKED_AT_ONCE);
      run(
          () -> {
            try (RocksIterator at = families.db.newIterator(side, reading)) {
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

  private void release(Snapshot snapshot) {
    gate.readLock().lock();
    try {
      if (!closed) {
        families.db.releaseSnapshot(snapshot);
      }
    } finally {
      gate.readLock().unlock();
    }
  }

  private <T> CompletionStage<T> call(Call<CompletionStage<T>> call) {
    try {
      return run(call);
    } catch (StoreException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private <T> T run(Call<T> call) {
    gate.readLock().lock();
    try {
      if (closed) {
        throw new StoreException(StoreException.Reason.CLOSED, "the engine is closed");
      }
      return call.make();
    } catch (RocksDBException e) {
      throw RocksFailure.of(e);
    } finally {
      gate.readLock().unlock();
    }
  }

  /** A call to RocksDB. */
  @FunctionalInterface
  private interface Call<T> {
    T make() throws RocksDBException;
  }
}
