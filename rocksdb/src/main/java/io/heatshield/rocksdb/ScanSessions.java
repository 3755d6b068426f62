package io.heatshield.rocksdb;

import io.heatshield.store.engine.ScanPage;
import io.heatshield.store.engine.ScannedKey;
import io.heatshield.store.engine.StoreException;
import io.heatshield.store.engine.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Snapshot;

/**
 * The open scans. Each reads a snapshot of the data, so that a key which is moved meanwhile is
 * neither missed nor returned twice. At most {@value #MAX_SCANS} are open; a further one closes the
 * scan that was not continued for the longest time.
 */
final class ScanSessions {
  static final int MAX_SCANS = 64;

  private final RocksDatabase database;
  private final Map<Long, Scan> scans = new LinkedHashMap<>();
  private long last;

  ScanSessions(RocksDatabase database) {
    this.database = database;
  }

  synchronized ScanPage next(long cursor, int count) throws RocksDBException {
    Scan scan = cursor == 0 ? new Scan(database.db.getSnapshot()) : scans.remove(cursor);
    if (scan == null) {
      throw new StoreException(
          StoreException.Reason.UNSUPPORTED, "the cursor does not belong to an open scan");
    }
    var found = new ArrayList<ScannedKey>();
    boolean read = false;
    try (var reading = new ReadOptions().setSnapshot(scan.snapshot)) {
      while (scan.family < 2 && found.size() < count) {
        if (!fill(scan, reading, found, count)) {
          scan.family++;
          scan.after = null;
        }
      }
      read = true;
    } finally {
      if (!read) {
        database.db.releaseSnapshot(scan.snapshot);
      }
    }
    if (scan.family == 2) {
      database.db.releaseSnapshot(scan.snapshot);
      return new ScanPage(0, List.copyOf(found));
    }
    if (scans.size() == MAX_SCANS) {
      Scan oldest = scans.remove(scans.keySet().iterator().next());
      if (oldest != null) {
        database.db.releaseSnapshot(oldest.snapshot);
      }
    }
    scans.put(++last, scan);
    return new ScanPage(last, List.copyOf(found));
  }

  synchronized void close() {
    scans.values().forEach(scan -> database.db.releaseSnapshot(scan.snapshot));
    scans.clear();
  }

  /** Reads from one column family; returns false at its end. */
  private boolean fill(Scan scan, ReadOptions reading, List<ScannedKey> found, int count)
      throws RocksDBException {
    ColumnFamilyHandle family = scan.family == 0 ? database.cold : database.hot;
    try (RocksIterator at = database.db.newIterator(family, reading)) {
      if (scan.after == null) {
        at.seekToFirst();
      } else {
        at.seek(scan.after);
        if (at.isValid() && Arrays.equals(at.key(), scan.after)) {
          at.next();
        }
      }
      for (; at.isValid() && found.size() < count; at.next()) {
        byte[] name = at.key();
        Value value = ValueFormat.read(at.value());
        byte[] key = scan.family == 0 ? name : HotKeyIndex.keyOf(name);
        found.add(new ScannedKey(key, value.type(), value.expiresAt()));
        scan.after = name;
      }
      at.status();
      return at.isValid();
    }
  }

  /** A scan: its snapshot, the current column family, and the last name that was read. */
  private static final class Scan {
    final Snapshot snapshot;
    int family;
    byte @Nullable [] after;

    Scan(Snapshot snapshot) {
      this.snapshot = snapshot;
    }
  }
}
