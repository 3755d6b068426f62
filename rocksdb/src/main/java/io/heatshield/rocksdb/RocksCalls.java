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
 * Makes the calls to a database, records the faults of its disk, and reopens the database when the
 * disk accepts writes again.
 */
final class RocksCalls {
  /*
   * RocksDB must not be called once it is closed: every call holds the gate for reading; closing
   * and reopening hold it for writing.
   *
   * After a disk error RocksDB refuses all writes until it is reopened; its own recovery can block
   * forever (FileEventListener). Reads still work. The database is reopened once a file of
   * PROBE_BYTES can be written and there is room for the logs, which opening writes into table
   * files. A compaction may fill the disk again immediately, so the wait between two attempts
   * doubles, up to a minute.
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
  private long reopenedAt = triedAt;
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
   * @throws StoreException if it cannot be opened
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

  /** An open database. Compared by identity. */
  static final class Opened {
    final RocksDatabase database;
    final HotColdData data;
    final ScanSessions scans;

    Opened(RocksDatabase database, HotColdData data) {
      this.database = database;
      this.data = data;
      this.scans = new ScanSessions(database);
    }
  }

  /** A call to RocksDB. */
  @FunctionalInterface
  interface Call<T> {
    T make(Opened on) throws RocksDBException;
  }

  /** Makes a call to the open database. */
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
   * Makes a call that uses objects of an open database.
   *
   * @throws StoreException if the database was reopened meanwhile
   */
  <T> T runOn(Opened expected, Call<T> call) {
    return run(
        on -> {
          if (on != expected) {
            throw new StoreException(
                StoreException.Reason.UNAVAILABLE, "the database was reopened meanwhile");
          }
          return call.make(on);
        });
  }

  /** Makes a call unless the database has been closed or reopened. */
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

  /** Returns how many times a key was moved since the engine was opened. */
  long moves() {
    Opened on = opened;
    return earlierMoves + (on == null ? 0 : on.data.hotKeys().moves());
  }

  EngineFaults faults() {
    return faults.current();
  }

  /** Reopens the database if the disk refused writes and accepts them now. */
  synchronized void maintain() {
    long now = System.nanoTime();
    if (faults.current().write().isEmpty() || now - triedAt < waitNanos) {
      return;
    }
    triedAt = now;
    if (hasRoom()) {
      boolean recently = now - reopenedAt < MAX_WAIT_NANOS + waitNanos;
      waitNanos = recently ? Math.min(MAX_WAIT_NANOS, 2 * waitNanos) : MIN_WAIT_NANOS;
      reopenedAt = now;
      reopen();
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
    RocksDatabase database = folder.open();
    try {
      return new Opened(database, new HotColdData(database, options.hotBuckets()));
    } catch (RocksDBException e) {
      database.close();
      throw RocksFailure.toOpen(options.folder(), e);
    } catch (RuntimeException e) {
      database.close();
      throw e;
    }
  }

  private void reopen() {
    gate.writeLock().lock();
    try {
      if (!closed) {
        closeDatabase(false);
        opened = open();
        faults.writable();
      }
    } catch (StoreException e) {
      faults.failed(e);
      log.error("{} cannot be reopened, will retry: {}", options.folder(), e.getMessage());
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
    earlierMoves += on.data.hotKeys().moves();
    on.scans.close();
    if (orderly) {
      try {
        on.database.flush();
      } catch (RocksDBException e) {
        log.warn(
            "the last writes of {} stay in its write-ahead log: {}",
            options.folder(),
            RocksFailure.of(options.folder(), e).getMessage());
      }
    }
    on.database.close();
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
