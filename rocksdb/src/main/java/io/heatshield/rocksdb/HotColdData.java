package io.heatshield.rocksdb;

import io.heatshield.guard.BytesKey;
import io.heatshield.store.engine.Batch;
import io.heatshield.store.engine.KeyRouting;
import io.heatshield.store.engine.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Snapshot;
import org.rocksdb.WriteBatch;

/**
 * The data in two column families, cold and hot. Each key is in one of them, and is moved in one
 * atomic batch.
 *
 * <p>The caller serializes the batches of one key; reads may run at any time.
 */
final class HotColdData {
  /*
   * cold       key -> value
   * hot        bucket, key -> value, for keys that are written often
   * expiries   expiry, key -> nothing, one entry for each value with an expiry
   * metadata   the settings that the data was written with
   *
   * A key that is written less often stays in the hot family until unroute(): otherwise a key at
   * the threshold would leave a tombstone in one of the families with every write.
   *
   * A read never waits for a move. It reads the family that HotKeyIndex names. If the key is not
   * there and may be moving, it reads both families in one snapshot: a move is one batch, so a
   * snapshot has the key in exactly one family. "May be moving" means that HotKeyIndex has the key
   * now, or that some key was moved since the read began. The second covers a key that is promoted
   * and moved back during one read. Pinned by RocksEngineTest.
   */
  private static final byte[] BUCKETS = "hot_buckets".getBytes(StandardCharsets.US_ASCII);
  private static final int BATCH_KEYS = 1000;

  private final RocksDatabase database;
  private final HotKeyIndex hotKeys;
  private volatile boolean hasExpiries;
  private byte @Nullable [] nextRouted;

  HotColdData(RocksDatabase database, int buckets) throws RocksDBException {
    this.database = database;
    this.hotKeys = new HotKeyIndex(buckets);
    try (RocksIterator at = database.db.newIterator(database.expiries, database.reading)) {
      at.seekToFirst();
      at.status();
      hasExpiries = at.isValid();
    }
    loadHotKeys((byte) (buckets - 1));
  }

  HotKeyIndex hotKeys() {
    return hotKeys;
  }

  /** Returns the value of a key, or null; never waits for a key that is being moved. */
  @Nullable Value read(byte[] bytes) throws RocksDBException {
    BytesKey key = hotKeys.hashed(bytes);
    long moves = hotKeys.moves();
    boolean isHot = hotKeys.contains(key);
    byte[] stored = isHot ? hot(bytes) : cold(bytes);
    if (stored == null && (isHot || hotKeys.contains(key) || hotKeys.moves() != moves)) {
      stored = readBoth(bytes);
    }
    return stored == null ? null : ValueFormat.read(stored);
  }

  /** Makes all changes or none. */
  void write(List<Batch.Change> changes) throws RocksDBException {
    var promoted = new ArrayList<BytesKey>();
    boolean made = false;
    try (var writes = new WriteBatch()) {
      for (Batch.Change change : changes) {
        put(writes, change, promoted);
      }
      database.db.write(database.writing, writes);
      made = true;
    } finally {
      for (BytesKey key : promoted) {
        if (made) {
          hotKeys.moved();
        } else {
          hotKeys.remove(key);
        }
      }
    }
    for (Batch.Change change : changes) {
      if (change.after() == null) {
        hotKeys.remove(hotKeys.hashed(change.key()));
      }
    }
  }

  /** Returns some keys of the hot family, and the next ones when it is called again. */
  synchronized List<byte[]> routedKeys(int max) throws RocksDBException {
    var keys = new ArrayList<byte[]>();
    try (RocksIterator at = database.db.newIterator(database.hot, database.reading)) {
      if (nextRouted == null) {
        at.seekToFirst();
      } else {
        at.seek(nextRouted);
      }
      for (; at.isValid() && keys.size() < max; at.next()) {
        keys.add(HotKeyIndex.keyOf(at.key()));
      }
      at.status();
      nextRouted = at.isValid() ? at.key() : null;
    }
    return keys;
  }

  /** Moves a key to the cold family. */
  void unroute(byte[] key) throws RocksDBException {
    byte[] stored = hot(key);
    if (stored == null) {
      return;
    }
    try (var move = new WriteBatch()) {
      move.put(database.cold, key, stored);
      move.delete(database.hot, hotKeys.name(key));
      database.db.write(database.writing, move);
    }
    hotKeys.moved();
    hotKeys.remove(hotKeys.hashed(key));
  }

  /** Reads a key from both families as of one moment. */
  private byte @Nullable [] readBoth(byte[] key) throws RocksDBException {
    Snapshot snapshot = database.db.getSnapshot();
    try (var reading = new ReadOptions(database.reading).setSnapshot(snapshot)) {
      byte[] stored = database.db.get(database.hot, reading, hotKeys.name(key));
      return stored == null ? database.db.get(database.cold, reading, key) : stored;
    } finally {
      database.db.releaseSnapshot(snapshot);
    }
  }

  private byte @Nullable [] cold(byte[] key) throws RocksDBException {
    return database.db.get(database.cold, database.reading, key);
  }

  private byte @Nullable [] hot(byte[] key) throws RocksDBException {
    return database.db.get(database.hot, database.reading, hotKeys.name(key));
  }

  private void put(WriteBatch writes, Batch.Change change, List<BytesKey> promoted)
      throws RocksDBException {
    byte[] bytes = change.key();
    BytesKey key = hotKeys.hashed(bytes);
    Value after = change.after();
    boolean isHot = hotKeys.contains(key);
    index(writes, bytes, after);
    if (after == null) {
      if (isHot) {
        writes.delete(database.hot, hotKeys.name(bytes));
      } else {
        writes.delete(database.cold, bytes);
      }
    } else if (isHot) {
      writes.put(database.hot, hotKeys.name(bytes), ValueFormat.of(after));
    } else if (KeyRouting.isHot(change) && hotKeys.accepts(key)) {
      hotKeys.add(key);
      promoted.add(key);
      writes.delete(database.cold, bytes);
      writes.put(database.hot, hotKeys.name(bytes), ValueFormat.of(after));
    } else {
      writes.put(database.cold, bytes, ValueFormat.of(after));
    }
  }

  /** Updates the index of expiries; reads the old value only if any value has an expiry. */
  private void index(WriteBatch writes, byte[] key, @Nullable Value after) throws RocksDBException {
    Value before = hasExpiries ? read(key) : null;
    if (before != null && before.expires()) {
      writes.delete(database.expiries, ValueFormat.indexEntry(before.expiresAt(), key));
    }
    if (after != null && after.expires()) {
      hasExpiries = true;
      writes.put(database.expiries, ValueFormat.indexEntry(after.expiresAt(), key), new byte[0]);
    }
  }

  /** Loads the keys of the hot family, or moves all of them back if the buckets have changed. */
  private void loadHotKeys(byte lastBucket) throws RocksDBException {
    byte[] before = database.db.get(database.metadata, database.reading, BUCKETS);
    boolean same = before != null && before.length == 1 && before[0] == lastBucket;
    try (RocksIterator at = database.db.newIterator(database.hot, database.reading);
        var move = new WriteBatch()) {
      for (at.seekToFirst(); at.isValid(); at.next()) {
        byte[] key = HotKeyIndex.keyOf(at.key());
        if (same) {
          hotKeys.add(hotKeys.hashed(key));
        } else {
          move.put(database.cold, key, at.value());
          move.delete(database.hot, at.key());
        }
        if (move.count() >= 2 * BATCH_KEYS) {
          database.db.write(database.writing, move);
          move.clear();
        }
      }
      at.status();
      if (!same) {
        move.put(database.metadata, BUCKETS, new byte[] {lastBucket});
        database.db.write(database.writing, move);
      }
    }
  }
}
