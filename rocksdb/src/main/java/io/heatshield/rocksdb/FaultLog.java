package io.heatshield.rocksdb;

import io.heatshield.store.engine.EngineFaults;
import io.heatshield.store.engine.StoreException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts refused writes and damaged reads of a disk, and logs each state once. */
final class FaultLog {
  private static final Logger log = LoggerFactory.getLogger(FaultLog.class);

  private final Path folder;
  private volatile EngineFaults current = EngineFaults.NONE;

  FaultLog(Path folder) {
    this.folder = folder;
  }

  EngineFaults current() {
    return current;
  }

  void failed(StoreException failure) {
    if (failure.reason() == StoreException.Reason.DISK) {
      writeRefused(String.valueOf(failure.getMessage()));
    } else if (failure.reason() == StoreException.Reason.DAMAGED) {
      damaged(String.valueOf(failure.getMessage()));
    }
  }

  /** Records that the disk accepts writes again. */
  synchronized void writable() {
    EngineFaults before = current;
    current = new EngineFaults("", before.refusedWrites(), before.damage(), before.damagedReads());
    log.info("{} accepts writes again; {} were refused", folder, before.refusedWrites());
  }

  private synchronized void writeRefused(String why) {
    EngineFaults before = current;
    current =
        new EngineFaults(why, before.refusedWrites() + 1, before.damage(), before.damagedReads());
    if (before.write().isEmpty()) {
      log.error("{}; writes are refused until the disk accepts them", why);
    }
  }

  private synchronized void damaged(String where) {
    EngineFaults before = current;
    boolean first = before.damage().isEmpty();
    current =
        new EngineFaults(
            before.write(),
            before.refusedWrites(),
            first ? where : before.damage(),
            before.damagedReads() + 1);
    if (first) {
      log.error(
          "{}: the damaged data cannot be read; restore a backup, or restart with"
              + " 'recover: salvage' to keep the rest",
          where);
    }
  }
}
