package io.heatshield.rocksdb;

import io.heatshield.store.engine.EngineFaults;
import io.heatshield.store.engine.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes calls to an open database, remembers what its disk refuses, and opens the database again
 * when the disk takes writes.
 */
final class RocksCalls {
  /*
   * Nothing of RocksDB may be called once it is closed: every call holds the gate for reading;
   * closing and opening again take it for writing.
   *
   * After an error of the disk RocksDB refuses all writes until it is opened again; its own
   * recovery can block for ever (TableEvents). Reads go on. The database is opened again once a
   * file of PROBE_BYTES can be written and there is room for the logs, which the start writes
   * into table files. A compaction may fill the disk again at once, so the wait between two such
   * openings doubles, up to a minute.
   */
  private static final Logger log = LoggerFactory.getLogger(RocksCalls.class);
  private static final long MIN_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long MAX_WAIT_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final int PROBE_BYTES = 1 << 20;
  private static final long SPARE_BYTES = 4L << 20;

  private final RocksOptions options;
  private final FolderOpening folder;
  private final ReentrantReadWriteLock gate = new ReentrantReadWriteLock();
  private final FaultLog faults;
  private volatile @Nullable Opened opened;
  private boolean closed;
  private long earlierMoves;
  private long triedAt = System.nanoTime() - MAX_WAIT_NANOS;
  private long openedAgainAt = triedAt;
  private long waitNanos = MIN_WAIT_NANOS;

  private RocksCalls(RocksOptions options, FolderOpening folder) {
    this.options = options;
    this.folder = folder;
    this.faults = new FaultLog(options.folder());
    this.opened = open();
  }

  /**
   * Opens the data in a folder.
   *
   * @throws StoreException if it can not be opened
   */
  static RocksCalls open(RocksOptions options) {
    FolderOpening folder = FolderOpening.claim(options);
    try {
      return new RocksCalls(options, folder);
    } catch (RuntimeException e) {
      folder.release();
      throw e;
    }
  }

  /** An open database; two are never equal. */
  static final class Opened {
    private final Families families;
    private final Sides sides;
    private final Scans scans;

    Opened(Families families, Sides sides) {
      this.families = families;
      this.sides = sides;
      this.scans = new Scans(families);
    }

    Families families() {
      return families;
    }

    Sides sides() {
      return sides;
    }

    Scans scans() {
      return scans;
    }
  }

  /** A call to RocksDB. */
  @FunctionalInterface
  interface Call<T> {
    T make(Opened on) throws RocksDBException;
  }

  /** Makes a call. */
  <T> T run(Call<T> call) {
    gate.readLock().lock();
    try {
      return call.make(opened());
    } catch (RocksDBException e) {
      StoreException failure = RocksFailure.of(options.folder(), e);
      faults.failed(failure);
      throw failure;
    } catch (StoreException e) {
      faults.failed(e);
      throw e;
    } finally {
      gate.readLock().unlock();
    }
  }

  /**
   * Makes a call with something of an open database, which must be the one that is open.
   *
   * @throws StoreException if the database was opened again meanwhile
   */
  <T> T runOn(Opened expected, Call<T> call) {
    return run(
        on -> {
          if (on != expected) {
            throw new StoreException(
                StoreException.Reason.UNAVAILABLE, "the database was opened again meanwhile");
          }
          return call.make(on);
        });
  }

  /** Makes a call unless the database has been closed, or opened again. */
  void runIfOpen(Opened expected, Call<?> call) {
    gate.readLock().lock();
    try {
      if (opened == expected && !closed) {
        var unused = call.make(expected);
      }
    } catch (RocksDBException e) {
      log.debug("a call to {} failed", options.folder(), e);
    } finally {
      gate.readLock().unlock();
    }
  }

  /** Returns how many keys have changed sides since the engine was opened. */
  long moves() {
    Opened on = opened;
    return earlierMoves + (on == null ? 0 : on.sides().places().moves());
  }

  EngineFaults faults() {
    return faults.current();
  }

  /** Opens the database again if the disk refused writes and takes them now. */
  synchronized void maintain() {
    long now = System.nanoTime();
    if (faults.current().write().isEmpty() || now - triedAt < waitNanos) {
      return;
    }
    triedAt = now;
    if (hasRoom()) {
      boolean recently = now - openedAgainAt < MAX_WAIT_NANOS + waitNanos;
      waitNanos = recently ? Math.min(MAX_WAIT_NANOS, 2 * waitNanos) : MIN_WAIT_NANOS;
      openedAgainAt = now;
      openAgain();
    }
  }

  void close() {
    gate.writeLock().lock();
    try {
      if (!closed) {
        closed = true;
        closeDatabase(true);
        folder.release();
      }
    } finally {
      gate.writeLock().unlock();
    }
  }

  private Opened opened() {
    if (closed) {
      throw new StoreException(StoreException.Reason.CLOSED, "the engine is closed");
    }
    Opened on = opened;
    if (on == null) {
      throw new StoreException(StoreException.Reason.DISK, faults.current().write());
    }
    return on;
  }

  private Opened open() {
    Families families = folder.open();
    try {
      return new Opened(families, new Sides(families, options.hotBuckets()));
    } catch (RocksDBException e) {
      families.close();
      throw RocksFailure.toOpen(options.folder(), e);
    } catch (RuntimeException e) {
      families.close();
      throw e;
    }
  }

  private void openAgain() {
    gate.writeLock().lock();
    try {
      if (!closed) {
        closeDatabase(false);
        opened = open();
        faults.writesAgain();
      }
    } catch (StoreException e) {
      faults.failed(e);
      log.error(
          "{} can not be opened again, which is tried once more: {}",
          options.folder(),
          e.getMessage());
    } finally {
      gate.writeLock().unlock();
    }
  }

  private void closeDatabase(boolean orderly) {
    Opened on = opened;
    if (on == null) {
      return;
    }
    opened = null;
    earlierMoves += on.sides().places().moves();
    on.scans().close();
    if (orderly) {
      try {
        on.families().flush();
      } catch (RocksDBException e) {
        log.warn(
            "the last writes of {} stay in its write-ahead log: {}",
            options.folder(),
            RocksFailure.of(options.folder(), e).getMessage());
      }
    }
    on.families().close();
  }

  private boolean hasRoom() {
    Path probe = options.folder().resolve("room.probe");
    try {
      long logs = 0;
      for (Path file : new FolderCheck(options.folder()).logFiles()) {
        logs += Files.size(file);
      }
      if (Files.getFileStore(options.folder()).getUsableSpace() < logs + SPARE_BYTES) {
        return false;
      }
      try {
        Files.write(probe, new byte[PROBE_BYTES]);
        return true;
      } finally {
        Files.deleteIfExists(probe);
      }
    } catch (IOException e) {
      return false;
    }
  }
}
