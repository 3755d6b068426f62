package io.heatshield.rocksdb;

import io.heatshield.store.engine.StoreException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** Converts RocksDB's errors to store exceptions. */
final class RocksFailure {
  private static final Pattern LOG_NUMBER = Pattern.compile("log number: ([0-9]+)");
  private static final Pattern DATA_FILE = Pattern.compile("([0-9]{6,}\\.(?:sst|log))");
  private static final Pattern OFFSET = Pattern.compile("offset ([0-9]+)");
  private static final String REMEDY =
      "restore a backup of the folder, or set 'recover: salvage' to keep what can be read";

  private RocksFailure() {}

  /** Converts the error of a call; a batch that the disk refused has changed nothing. */
  static StoreException of(Path folder, RocksDBException e) {
    if (isDisk(e)) {
      return new StoreException(
          StoreException.Reason.DISK, "Errors writing to " + folder + ": " + diskReason(e), e);
    }
    if (isDamage(e)) {
      return new StoreException(StoreException.Reason.DAMAGED, damaged(folder, e), e);
    }
    return new StoreException(StoreException.Reason.UNAVAILABLE, "RocksDB failed: " + code(e), e);
  }

  /** Returns the error for a folder with damaged files. */
  static StoreException damaged(String damage) {
    return new StoreException(StoreException.Reason.DAMAGED, damage + "; " + REMEDY);
  }

  /** Converts the error of opening a folder. */
  static StoreException toOpen(Path folder, RocksDBException e) {
    String text = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    String why;
    if (isDisk(e)) {
      return new StoreException(
          StoreException.Reason.DISK, folder + " cannot be written to: " + diskReason(e), e);
    } else if (isDamage(e)) {
      return new StoreException(
          StoreException.Reason.DAMAGED,
          damagedFile(folder, e) + " is damaged: " + e.getMessage() + "; " + REMEDY,
          e);
    } else if (text.contains("lock")) {
      why = " is in use by another process, or by another store of this one";
    } else if (text.contains("permission")) {
      why = " cannot be written to";
    } else {
      why = " cannot be opened by RocksDB: " + code(e);
    }
    return new StoreException(StoreException.Reason.REFUSED, folder + why, e);
  }

  /** Returns whether the disk refuses writes: it is full, read-only, or fails. */
  private static boolean isDisk(RocksDBException e) {
    String text = String.valueOf(e.getMessage());
    return isNoSpace(e)
        || text.contains("Disk quota exceeded")
        || text.contains("Read-only file system")
        || text.contains("While append");
  }

  private static String diskReason(RocksDBException e) {
    String text = String.valueOf(e.getMessage());
    return isNoSpace(e)
        ? "No space left on device"
        : text.substring(text.lastIndexOf(':') + 1).strip();
  }

  private static boolean isNoSpace(RocksDBException e) {
    Status status = e.getStatus();
    return (status != null && status.getSubCode() == Status.SubCode.NoSpace)
        || String.valueOf(e.getMessage()).contains("No space left");
  }

  private static boolean isDamage(RocksDBException e) {
    Status status = e.getStatus();
    boolean corrupt = status != null && status.getCode() == Status.Code.Corruption;
    return corrupt || String.valueOf(e.getMessage()).contains("No such file or directory");
  }

  private static String damaged(Path folder, RocksDBException e) {
    Matcher offset = OFFSET.matcher(String.valueOf(e.getMessage()));
    return damagedFile(folder, e)
        + " is damaged"
        + (offset.find() ? " at byte " + offset.group(1) : "");
  }

  /** Returns the file that an error names, or the folder if it names none. */
  private static Path damagedFile(Path folder, RocksDBException e) {
    String text = String.valueOf(e.getMessage());
    Matcher file = DATA_FILE.matcher(text);
    Matcher log = LOG_NUMBER.matcher(text);
    if (file.find()) {
      return folder.resolve(file.group(1));
    }
    if (log.find()) {
      return folder.resolve(
          "0".repeat(Math.max(0, 6 - log.group(1).length())) + log.group(1) + ".log");
    }
    return SstFiles.firstUnreadable(folder).orElse(folder);
  }

  private static String code(RocksDBException e) {
    Status status = e.getStatus();
    return status == null ? "no status" : status.getCode().name();
  }
}
