package io.heatshield.rocksdb;

import java.io.IOException;
import java.nio.file.Path;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.BackgroundErrorReason;
import org.rocksdb.CompactionJobInfo;
import org.rocksdb.FlushJobInfo;
import org.rocksdb.RocksDB;
import org.rocksdb.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows RocksDB's background work: copies the manifest and closes new files to others after each
 * flush and compaction, and lets RocksDB not recover from errors by itself.
 */
final class TableEvents extends AbstractEventListener {
  /*
   * With a recovery of RocksDB's own, a write that finds the disk full waits until it is not, and
   * may wait for ever: the recovery wants to flush, and a flush waits for that write to end.
   * Pinned by DiskFullIT.
   */
  private static final Logger log = LoggerFactory.getLogger(TableEvents.class);

  private final Path folder;
  private final ManifestCopy copy;

  TableEvents(Path folder) {
    super(
        EnabledEventCallback.ON_ERROR_RECOVERY_BEGIN,
        EnabledEventCallback.ON_FLUSH_COMPLETED,
        EnabledEventCallback.ON_COMPACTION_COMPLETED);
    this.folder = folder;
    this.copy = new ManifestCopy(folder);
  }

  /** Takes note that files may be new. */
  void filesChanged() {
    copy.update();
    try {
      NewestLog.record(folder);
      FileModes.closeFiles(folder);
    } catch (IOException e) {
      log.warn("the files of {} can not be listed or closed to others: {}", folder, e.toString());
    }
  }

  @Override
  public void onFlushCompleted(RocksDB db, FlushJobInfo flush) {
    filesChanged();
  }

  @Override
  public void onCompactionCompleted(RocksDB db, CompactionJobInfo compaction) {
    filesChanged();
  }

  @Override
  public boolean onErrorRecoveryBegin(BackgroundErrorReason reason, Status error) {
    return false;
  }
}
