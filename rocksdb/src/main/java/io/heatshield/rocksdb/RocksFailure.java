package io.heatshield.rocksdb;

import io.heatshield.store.StoreException;
import java.nio.file.Path;
import java.util.Locale;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** Says in a sentence of ours what RocksDB says in its own. */
final class RocksFailure {
  private RocksFailure() {}

  /** Returns the failure of a call; a batch that failed for want of room was not made. */
  static StoreException of(RocksDBException e) {
    if (isNoSpace(e)) {
      return new StoreException(StoreException.Reason.FULL, "the disk is full", e);
    }
    return new StoreException(StoreException.Reason.UNAVAILABLE, "RocksDB failed: " + code(e), e);
  }

  /** Returns the failure to open a folder. */
  static StoreException toOpen(Path folder, RocksDBException e) {
    String text = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    String why;
    if (isNoSpace(e)) {
      return new StoreException(StoreException.Reason.FULL, folder + " is on a full disk", e);
    } else if (e.getStatus() != null && e.getStatus().getCode() == Status.Code.Corruption) {
      why = " holds damaged data: " + e.getMessage();
    } else if (text.contains("lock")) {
      why = " is in use by another process, or by another store of this one";
    } else if (text.contains("read-only") || text.contains("permission")) {
      why = " can not be written to";
    } else {
      why = " can not be opened by RocksDB: " + code(e);
    }
    return new StoreException(StoreException.Reason.REFUSED, folder + why, e);
  }

  private static boolean isNoSpace(RocksDBException e) {
    Status status = e.getStatus();
    return (status != null && status.getSubCode() == Status.SubCode.NoSpace)
        || String.valueOf(e.getMessage()).contains("No space left");
  }

  private static String code(RocksDBException e) {
    Status status = e.getStatus();
    return status == null ? "no status" : status.getCode().name();
  }
}
