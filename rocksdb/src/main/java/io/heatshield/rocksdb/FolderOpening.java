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
   * Claims a folder for an engine, and makes it if it is not there.
   *
   * @throws StoreException if another engine or process has it open, or it can not be made
   */
  static FolderOpening claim(RocksOptions options) {
    Path folder = options.folder();
    try {
      FileModes.makeFolder(folder);
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
          folder + " can not be made or written to: " + reason(e),
          e);
    }
  }

  /** Opens the database; if that is wanted, what can be read of a damaged one. */
  Families open() {
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
          return verified(Families.open(options, check.isEmpty()));
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
      return Families.open(options, false);
    } catch (IOException e) {
      throw new StoreException(
          StoreException.Reason.REFUSED, folder + " can not be read: " + reason(e), e);
    }
  }

  /** Lets other engines open the folder. */
  void release() {
    OPEN.remove(name);
  }

  /** Reads all files if damage is to be salvaged; otherwise it shows when it is read. */
  private Families verified(Families opened) {
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
