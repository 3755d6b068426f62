package io.heatshield.rocksdb;

import io.heatshield.store.engine.StoreException;
import io.heatshield.store.engine.Value;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * Copies the entries of a damaged database into a new one.
 *
 * <p>Because of the damage a key may be in both column families, or the index of expiries may have
 * entries without a value. So a key is copied to the hot family only, and the index is rebuilt.
 */
final class EntryCopy {
  private static final int BATCH = 1000;

  private final DamagedDatabase from;
  private final RocksDatabase into;
  private final WriteBatch batch = new WriteBatch();
  private long keys;

  EntryCopy(DamagedDatabase from, RocksDatabase into) {
    this.from = from;
    this.into = into;
  }

  /** Copies all entries, and returns the number of keys. */
  long run() throws RocksDBException {
    try (batch;
        var unlogged = new WriteOptions().setDisableWAL(true)) {
      from.read(RocksDatabase.METADATA, (key, value) -> batch.put(into.metadata, key, value));
      from.read(
          RocksDatabase.COLD,
          (key, value) -> {
            if (index(key, value)) {
              batch.put(into.cold, key, value);
              keys++;
            }
            writeIfFull(unlogged);
          });
      write(unlogged);
      from.read(
          RocksDatabase.HOT,
          (name, value) -> {
            byte[] key = HotKeyIndex.keyOf(name);
            removeCold(key);
            if (index(key, value)) {
              batch.put(into.hot, name, value);
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
      Value before = ValueFormat.read(twin);
      if (before.expires()) {
        batch.delete(into.expiries, ValueFormat.indexEntry(before.expiresAt(), key));
      }
      batch.delete(into.cold, key);
      keys--;
    }
  }

  /** Adds the expiry of a value to the index; returns false if the bytes are not a value. */
  private boolean index(byte[] key, byte[] stored) throws RocksDBException {
    try {
      Value value = ValueFormat.read(stored);
      if (value.expires()) {
        batch.put(into.expiries, ValueFormat.indexEntry(value.expiresAt(), key), new byte[0]);
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
