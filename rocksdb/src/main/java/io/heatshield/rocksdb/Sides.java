package io.heatshield.rocksdb;

import io.heatshield.guard.BytesKey;
import io.heatshield.store.engine.Batch;
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
 * The two sides of the data: each key lives on one of them, and changes sides in one atomic batch.
 *
 * <p>Batches of one key come one at a time; reads may come at any time.
 */
final class Sides {
  /*
   * cold    key -> value
   * hot     range, key -> value, for keys that are written often
   * ends    end, key -> nothing, one entry for each value with an end
   * about   what the data was written with
   *
   * A key stays on the hot side when it is written less often, until rejoin: otherwise one at the threshold would leave a
   * tombstone on one of the sides with every write.
   *
   * A read never waits for a move. It looks on the side where HotPlaces says that the key lives.
   * If the key is not there and may be moving, it reads both sides in one snapshot: a move is one
   * batch, so a snapshot has the key on exactly one side. "May be moving" means that HotPlaces has
   * the key now, or that some key moved since the read began. The second covers a key that is
   * promoted and rejoins within one read. Pinned by RocksEngineTest.
   */
  private static final byte[] BUCKETS = "hot_buckets".getBytes(StandardCharsets.US_ASCII);
  private static final int BATCH_KEYS = 1000;

  private final Families families;
  private final HotPlaces places;
  private volatile boolean hasEnds;
  private byte @Nullable [] looked;

  Sides(Families families, int buckets) throws RocksDBException {
    this.families = families;
    this.places = new HotPlaces(buckets);
    try (RocksIterator at = families.db.newIterator(families.ends, families.reading)) {
      at.seekToFirst();
      at.status();
      hasEnds = at.isValid();
    }
    settleIn((byte) (buckets - 1));
  }

  HotPlaces places() {
    return places;
  }

  /** Returns what a key holds, or null; never waits for a key that changes sides. */
  @Nullable Value read(byte[] bytes) throws RocksDBException {
    BytesKey key = places.named(bytes);
    long moves = places.moves();
    boolean isHot = places.has(key);
    byte[] stored = isHot ? hot(bytes) : cold(bytes);
    if (stored == null && (isHot || places.has(key) || places.moves() != moves)) {
      stored = readBothSides(bytes);
    }
    return stored == null ? null : StoredForm.read(stored);
  }

  /** Makes changes, all or none. */
  void write(List<Batch.Change> changes) throws RocksDBException {
    var promoted = new ArrayList<BytesKey>();
    boolean made = false;
    try (var writes = new WriteBatch()) {
      for (Batch.Change change : changes) {
        put(writes, change, promoted);
      }
      families.db.write(families.writing, writes);
      made = true;
    } finally {
      for (BytesKey key : promoted) {
        if (made) {
          places.moved();
        } else {
          places.remove(key);
        }
      }
    }
    for (Batch.Change change : changes) {
      if (change.after() == null) {
        places.remove(places.named(change.key()));
      }
    }
  }

  /** Returns some keys of the hot side, and the next ones when it is called again. */
  synchronized List<byte[]> apart(int max) throws RocksDBException {
    var keys = new ArrayList<byte[]>();
    try (RocksIterator at = families.db.newIterator(families.hot, families.reading)) {
      if (looked == null) {
        at.seekToFirst();
      } else {
        at.seek(looked);
      }
      for (; at.isValid() && keys.size() < max; at.next()) {
        keys.add(HotPlaces.keyAt(at.key()));
      }
      at.status();
      looked = at.isValid() ? at.key() : null;
    }
    return keys;
  }

  /** Moves a key to the cold side. */
  void rejoin(byte[] key) throws RocksDBException {
    byte[] stored = hot(key);
    if (stored == null) {
      return;
    }
    try (var move = new WriteBatch()) {
      move.put(families.cold, key, stored);
      move.delete(families.hot, places.place(key));
      families.db.write(families.writing, move);
    }
    places.moved();
    places.remove(places.named(key));
  }

  /** Reads a key on both sides as of one moment. */
  private byte @Nullable [] readBothSides(byte[] key) throws RocksDBException {
    Snapshot snapshot = families.db.getSnapshot();
    try (var reading = new ReadOptions(families.reading).setSnapshot(snapshot)) {
      byte[] stored = families.db.get(families.hot, reading, places.place(key));
      return stored == null ? families.db.get(families.cold, reading, key) : stored;
    } finally {
      families.db.releaseSnapshot(snapshot);
    }
  }

  private byte @Nullable [] cold(byte[] key) throws RocksDBException {
    return families.db.get(families.cold, families.reading, key);
  }

  private byte @Nullable [] hot(byte[] key) throws RocksDBException {
    return families.db.get(families.hot, families.reading, places.place(key));
  }

  private void put(WriteBatch writes, Batch.Change change, List<BytesKey> promoted)
      throws RocksDBException {
    byte[] bytes = change.key();
    BytesKey key = places.named(bytes);
    Value after = change.after();
    boolean isHot = places.has(key);
    index(writes, bytes, after);
    if (after == null) {
      if (isHot) {
        writes.delete(families.hot, places.place(bytes));
      } else {
        writes.delete(families.cold, bytes);
      }
    } else if (isHot) {
      writes.put(families.hot, places.place(bytes), StoredForm.of(after));
    } else if (change.hot() && places.takes(key)) {
      places.add(key);
      promoted.add(key);
      writes.delete(families.cold, bytes);
      writes.put(families.hot, places.place(bytes), StoredForm.of(after));
    } else {
      writes.put(families.cold, bytes, StoredForm.of(after));
    }
  }

  /** Keeps the index of ends; what was there is read only if the store has ends at all. */
  private void index(WriteBatch writes, byte[] key, @Nullable Value after) throws RocksDBException {
    Value before = hasEnds ? read(key) : null;
    if (before != null && before.expires()) {
      writes.delete(families.ends, StoredForm.end(before.expiresAt(), key));
    }
    if (after != null && after.expires()) {
      hasEnds = true;
      writes.put(families.ends, StoredForm.end(after.expiresAt(), key), new byte[0]);
    }
  }

  /** Learns which keys are on the hot side; if the ranges have changed, all of them leave it. */
  private void settleIn(byte lastBucket) throws RocksDBException {
    byte[] before = families.db.get(families.about, families.reading, BUCKETS);
    boolean same = before != null && before.length == 1 && before[0] == lastBucket;
    try (RocksIterator at = families.db.newIterator(families.hot, families.reading);
        var move = new WriteBatch()) {
      for (at.seekToFirst(); at.isValid(); at.next()) {
        byte[] key = HotPlaces.keyAt(at.key());
        if (same) {
          places.add(places.named(key));
        } else {
          move.put(families.cold, key, at.value());
          move.delete(families.hot, at.key());
        }
        if (move.count() >= 2 * BATCH_KEYS) {
          families.db.write(families.writing, move);
          move.clear();
        }
      }
      at.status();
      if (!same) {
        move.put(families.about, BUCKETS, new byte[] {lastBucket});
        families.db.write(families.writing, move);
      }
    }
  }
}
