package io.heatshield.rocksdb;

import io.heatshield.store.engine.StoreException;
import io.heatshield.store.engine.Value;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * Copies the entries of a damaged database into a new one.
 *
 * <p>What is lost may have made a key live on both sides, or left entries in the index of ends
 * without a value: a key goes to the hot side only, and the index is made anew.
 */
final class EntryCopy {
  private static final int BATCH = 1000;

  private final DamagedData from;
  private final Families into;
  private final WriteBatch batch = new WriteBatch();
  private long keys;

  EntryCopy(DamagedData from, Families into) {
    this.from = from;
    this.into = into;
  }

  /** Copies all, and returns how many keys there were. */
  long run() throws RocksDBException {
    try (batch;
        var unlogged = new WriteOptions().setDisableWAL(true)) {
      from.read(Families.ABOUT, (key, value) -> batch.put(into.about, key, value));
      from.read(
          Families.COLD,
          (key, value) -> {
            if (index(key, value)) {
              batch.put(into.cold, key, value);
              keys++;
            }
            writeIfFull(unlogged);
          });
      write(unlogged);
      from.read(
          Families.HOT,
          (place, value) -> {
            byte[] key = HotPlaces.keyAt(place);
            removeCold(key);
            if (index(key, value)) {
              batch.put(into.hot, place, value);
              keys++;
            }
            writeIfFull(unlogged);
          });
      write(unlogged);
      return keys;
    }
  }

  private void removeCold(byte[] key) throws RocksDBException {
    byte[] twin = into.db.get(into.cold, key);
    if (twin != null) {
      Value before = StoredForm.read(twin);
      if (before.expires()) {
        batch.delete(into.ends, StoredForm.end(before.expiresAt(), key));
      }
      batch.delete(into.cold, key);
      keys--;
    }
  }

  /** Adds the end of a value to the index; returns false if the bytes are not a value. */
  private boolean index(byte[] key, byte[] stored) throws RocksDBException {
    try {
      Value value = StoredForm.read(stored);
      if (value.expires()) {
        batch.put(into.ends, StoredForm.end(value.expiresAt(), key), new byte[0]);
      }
      return true;
    } catch (StoreException e) {
      return false;
    }
  }

  private void writeIfFull(WriteOptions options) throws RocksDBException {
    if (batch.count() >= BATCH) {
      write(options);
    }
  }

  private void write(WriteOptions options) throws RocksDBException {
    into.db.write(options, batch);
    batch.clear();
  }
}
