package io.heatshield.rocksdb;

import io.heatshield.store.engine.StoreException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** Opens the database in a folder, unless the folder is in use or its files are damaged. */
final class FolderOpening {
  /** The folders that engines of this process have open. */
  private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

  static {
    RocksDB.loadLibrary();
  }

  private final RocksOptions options;
  private final Path folder;
  private final Path name;

  private FolderOpening(RocksOptions options, Path name) {
    this.options = options;
    this.folder = options.folder();
    this.name = name;
  }

  /**
   * Claims a folder for an engine, and creates it if necessary.
   *
   * @throws StoreException if another engine or process has it open, or it cannot be created
   */
  static FolderOpening claim(RocksOptions options) {
    Path folder = options.folder();
    try {
      FilePermissions.makeFolder(folder);
      Path name = folder.toRealPath();
      if (!OPEN.add(name)) {
        throw inUse(folder);
      }
      if (new FolderCheck(folder).isInUse()) {
        OPEN.remove(name);
        throw inUse(folder);
      }
      return new FolderOpening(options, name);
    } catch (IOException e) {
      throw new StoreException(
          StoreException.Reason.REFUSED,
          folder + " cannot be created or written to: " + reason(e),
          e);
    }
  }

  /** Opens the database; if the options allow it, salvages a damaged one first. */
  RocksDatabase open() {
    try {
      var check = new FolderCheck(folder);
      Optional<Path> unfinished = check.unfinishedSalvage();
      if (unfinished.isPresent()) {
        throw new StoreException(
            StoreException.Reason.REFUSED,
            "a salvage of "
                + folder
                + " was interrupted: move the files of "
                + unfinished.get()
                + " there");
      }
      Optional<String> damage = check.damage();
      if (damage.isEmpty()) {
        try {
          return verified(RocksDatabase.open(options, check.isEmpty()));
        } catch (StoreException e) {
          if (e.reason() != StoreException.Reason.DAMAGED || !options.salvage()) {
            throw e;
          }
          damage = Optional.of(String.valueOf(e.getMessage()));
        }
      }
      if (!options.salvage()) {
        throw RocksFailure.damaged(damage.get());
      }
      Salvage.run(options, damage.get());
      return RocksDatabase.open(options, false);
    } catch (IOException e) {
      throw new StoreException(
          StoreException.Reason.REFUSED, folder + " cannot be read: " + reason(e), e);
    }
  }

  /** Releases the folder for other engines. */
  void release() {
    OPEN.remove(name);
  }

  /** Checks all files if damage is to be salvaged; otherwise damage is found when it is read. */
  private RocksDatabase verified(RocksDatabase opened) {
    if (!options.salvage()) {
      return opened;
    }
    try {
      opened.db.verifyChecksum();
      return opened;
    } catch (RocksDBException e) {
      opened.close();
      throw RocksFailure.of(folder, e);
    }
  }

  private static StoreException inUse(Path folder) {
    return new StoreException(
        StoreException.Reason.REFUSED,
        folder + " is in use by another process, or by another store of this one");
  }

  private static String reason(IOException e) {
    boolean named = e instanceof FileSystemException file && file.getReason() != null;
    return named ? ((FileSystemException) e).getReason() : e.getClass().getSimpleName();
  }
}
