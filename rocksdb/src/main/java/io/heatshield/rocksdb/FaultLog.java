package io.heatshield.rocksdb;

import io.heatshield.store.engine.EngineFaults;
import io.heatshield.store.engine.StoreException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts what a disk refuses and what is damaged, and logs each state once. */
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

  /** Notes that the disk takes writes again. */
  synchronized void writesAgain() {
    EngineFaults before = current;
    current = new EngineFaults("", before.refusedWrites(), before.damage(), before.damagedReads());
    log.info("{} takes writes again; {} were refused", folder, before.refusedWrites());
  }

  private synchronized void writeRefused(String why) {
    EngineFaults before = current;
    current =
        new EngineFaults(why, before.refusedWrites() + 1, before.damage(), before.damagedReads());
    if (before.write().isEmpty()) {
      log.error("{}; writes are refused until the disk takes them", why);
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
          "{}: what is there can not be read; restore a backup, or restart with"
              + " 'recover: salvage' to keep the rest",
          where);
    }
  }
}
