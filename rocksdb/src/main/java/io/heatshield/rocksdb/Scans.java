package io.heatshield.rocksdb;

import io.heatshield.store.engine.Found;
import io.heatshield.store.engine.ScanPage;
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
 * Scans under way, each over the data as it was when it began, so that a key which changes sides
 * meanwhile is neither missed nor told twice. At most {@value #MAX_SCANS} are remembered; the one
 * that was longest not continued gives way.
 */
final class Scans {
  static final int MAX_SCANS = 64;

  private final Families families;
  private final Map<Long, Scan> scans = new LinkedHashMap<>();
  private long last;

  Scans(Families families) {
    this.families = families;
  }

  synchronized ScanPage next(long cursor, int count) throws RocksDBException {
    Scan scan = cursor == 0 ? new Scan(families.db.getSnapshot()) : scans.remove(cursor);
    if (scan == null) {
      throw new StoreException(
          StoreException.Reason.UNSUPPORTED, "the cursor is not, or no more, one of a scan");
    }
    var found = new ArrayList<Found>();
    boolean read = false;
    try (var reading = new ReadOptions().setSnapshot(scan.snapshot)) {
      while (scan.side < 2 && found.size() < count) {
        if (!fill(scan, reading, found, count)) {
          scan.side++;
          scan.after = null;
        }
      }
      read = true;
    } finally {
      if (!read) {
        families.db.releaseSnapshot(scan.snapshot);
      }
    }
    if (scan.side == 2) {
      families.db.releaseSnapshot(scan.snapshot);
      return new ScanPage(0, List.copyOf(found));
    }
    if (scans.size() == MAX_SCANS) {
      Scan oldest = scans.remove(scans.keySet().iterator().next());
      if (oldest != null) {
        families.db.releaseSnapshot(oldest.snapshot);
      }
    }
    scans.put(++last, scan);
    return new ScanPage(last, List.copyOf(found));
  }

  synchronized void close() {
    scans.values().forEach(scan -> families.db.releaseSnapshot(scan.snapshot));
    scans.clear();
  }

  /** Reads on one side; returns false at its end. */
  private boolean fill(Scan scan, ReadOptions reading, List<Found> found, int count)
      throws RocksDBException {
    ColumnFamilyHandle side = scan.side == 0 ? families.cold : families.hot;
    try (RocksIterator at = families.db.newIterator(side, reading)) {
      if (scan.after == null) {
        at.seekToFirst();
      } else {
        at.seek(scan.after);
        if (at.isValid() && Arrays.equals(at.key(), scan.after)) {
          at.next();
        }
      }
      for (; at.isValid() && found.size() < count; at.next()) {
        byte[] place = at.key();
        Value value = StoredForm.read(at.value());
        byte[] key = scan.side == 0 ? place : HotPlaces.keyAt(place);
        found.add(new Found(key, value.type(), value.expiresAt()));
        scan.after = place;
      }
      at.status();
      return at.isValid();
    }
  }

  /** A scan: what it reads, on which side, and after which place. */
  private static final class Scan {
    final Snapshot snapshot;
    int side;
    byte @Nullable [] after;

    Scan(Snapshot snapshot) {
      this.snapshot = snapshot;
    }
  }
}
