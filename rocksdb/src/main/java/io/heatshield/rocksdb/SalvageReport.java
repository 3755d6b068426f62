package io.heatshield.rocksdb;

import java.nio.file.Path;
import java.util.List;

/**
 * What a salvage kept and dropped.
 *
 * @param aside the folder with the files as they were
 * @param keptKeys the keys that were read and written again
 * @param droppedTables the table files of which nothing could be read
 * @param damagedRanges how many ranges of keys inside other table files could not be read
 * @param droppedLogBytes the bytes of write-ahead logs that could not be read
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
        + " bytes of write-ahead log; the files as they were are in "
        + aside;
  }
}
