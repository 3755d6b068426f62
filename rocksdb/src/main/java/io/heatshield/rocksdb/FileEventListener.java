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
 * Listens to RocksDB's background work: copies the manifest and restricts the permissions of new
 * files after each flush and compaction, and disables RocksDB's own recovery from errors.
 */
final class FileEventListener extends AbstractEventListener {
  /*
   * With RocksDB's own recovery, a write that finds the disk full waits until there is room, and
   * may wait forever: the recovery needs a flush, and the flush waits for that write to end.
   * Pinned by DiskFullIT.
   */
  private static final Logger log = LoggerFactory.getLogger(FileEventListener.class);

  private final Path folder;
  private final ManifestCopy copy;

  FileEventListener(Path folder) {
    super(
        EnabledEventCallback.ON_ERROR_RECOVERY_BEGIN,
        EnabledEventCallback.ON_FLUSH_COMPLETED,
        EnabledEventCallback.ON_COMPACTION_COMPLETED);
    this.folder = folder;
    this.copy = new ManifestCopy(folder);
  }

  /** Handles files that may be new. */
  void filesChanged() {
    copy.update();
    try {
      NewestLog.record(folder);
      FilePermissions.restrictFiles(folder);
    } catch (IOException e) {
      log.warn("the files in {} cannot be listed or restricted: {}", folder, e.toString());
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
