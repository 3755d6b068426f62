package io.heatshield.rocksdb;

import java.nio.file.Path;
import java.util.List;

/**
 * The result of a salvage.
 *
 * @param aside the folder with the original files
 * @param keptKeys the number of keys that were copied
 * @param droppedTables the table files that could not be read at all
 * @param damagedRanges the number of unreadable key ranges in other table files
 * @param droppedLogBytes the number of unreadable bytes in write-ahead logs
 */
record SalvageReport(
    Path aside,
    long keptKeys,
    List<String> droppedTables,
    int damagedRanges,
    long droppedLogBytes) {

  @Override
  public String toString() {
    return "kept "
        + keptKeys
        + " keys; dropped "
        + (droppedTables.isEmpty() ? "no table file" : "table files " + droppedTables)
        + ", "
        + damagedRanges
        + " damaged ranges of keys, "
        + droppedLogBytes
        + " bytes of write-ahead log; the original files are in "
        + aside;
  }
}
