package io.heatshield.rocksdb;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.LiveFileMetaData;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WALRecoveryMode;

/** A copy of a database with damaged files, open for reading what can be read. */
final class DamagedDatabase implements AutoCloseable {
  /*
   * An iterator ends at a damaged block. The start of the next readable block is found by bisection
   * between the last key that was read and the largest key. With several damaged blocks the
   * bisection may find the end of a later one.
   *
   * The folder is opened for writing, although nothing is written to it: RocksDB 11.8
   * dereferences a null pointer when a manifest that tracks logs is opened read-only without
   * tracking them.
   */
  private static final int MAX_STEPS = 256;

  final RocksDB db;
  private final DBOptions options;
  private final ColumnFamilyOptions family;
  private final ReadOptions reading = new ReadOptions().setFillCache(false);
  private final List<ColumnFamilyHandle> handles = new ArrayList<>();
  private int damagedRanges;

  private DamagedDatabase(Path folder) throws RocksDBException {
    options =
        new DBOptions()
            .setParanoidChecks(false)
            .setMaxOpenFiles(256)
            .setWalRecoveryMode(WALRecoveryMode.SkipAnyCorruptedRecords);
    family = new ColumnFamilyOptions().setDisableAutoCompactions(true);
    db = RocksDB.open(options, folder.toString(), RocksDatabase.descriptors(family), handles);
  }

  static DamagedDatabase open(Path folder) throws RocksDBException {
    return new DamagedDatabase(folder);
  }

  /** Receives entries. */
  @FunctionalInterface
  interface Sink {
    void accept(byte[] key, byte[] value) throws RocksDBException;
  }

  /** Reads every readable entry of a column family. */
  void read(int family, Sink sink) throws RocksDBException {
    ColumnFamilyHandle handle = handles.get(family);
    byte[] from = new byte[0];
    while (from != null) {
      from = readUntilDamage(handle, from, sink);
    }
  }

  /** Returns the first readable key after the damage, or null at the end. */
  private byte @Nullable [] readUntilDamage(ColumnFamilyHandle handle, byte[] from, Sink sink)
      throws RocksDBException {
    byte[] last = from;
    try (RocksIterator at = db.newIterator(handle, reading)) {
      for (at.seek(from); at.isValid(); at.next()) {
        last = at.key();
        sink.accept(last, at.value());
      }
      if (isIntact(at)) {
        return null;
      }
    }
    damagedRanges++;
    return afterDamage(handle, Arrays.copyOf(last, last.length + 1));
  }

  private byte @Nullable [] afterDamage(ColumnFamilyHandle handle, byte[] damaged)
      throws RocksDBException {
    byte[] largest = largestKey(handle);
    int width = Math.max(damaged.length, largest.length) + 1;
    BigInteger low = new BigInteger(1, Arrays.copyOf(damaged, width));
    BigInteger high = new BigInteger(1, Arrays.copyOf(largest, width)).add(BigInteger.ONE);
    if (low.compareTo(high) >= 0 || !isReadable(handle, bytes(high, width))) {
      return null;
    }
    for (int i = 0; i < MAX_STEPS && high.subtract(low).compareTo(BigInteger.ONE) > 0; i++) {
      BigInteger middle = low.add(high).shiftRight(1);
      if (isReadable(handle, bytes(middle, width))) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return bytes(high, width);
  }

  private boolean isReadable(ColumnFamilyHandle handle, byte[] key) {
    try (RocksIterator at = db.newIterator(handle, reading)) {
      at.seek(key);
      return isIntact(at);
    }
  }

  private static boolean isIntact(RocksIterator at) {
    try {
      at.status();
      return true;
    } catch (RocksDBException e) {
      return false;
    }
  }

  private byte[] largestKey(ColumnFamilyHandle handle) throws RocksDBException {
    byte[] largest = new byte[0];
    for (LiveFileMetaData table : db.getLiveFilesMetaData()) {
      if (Arrays.equals(table.columnFamilyName(), handle.getName())
          && Arrays.compareUnsigned(table.largestKey(), largest) > 0) {
        largest = table.largestKey();
      }
    }
    return largest;
  }

  private static byte[] bytes(BigInteger number, int width) {
    byte[] bytes = number.toByteArray();
    byte[] padded = new byte[width];
    int length = Math.min(bytes.length, width);
    System.arraycopy(bytes, bytes.length - length, padded, width - length, length);
    return padded;
  }

  int damagedRanges() {
    return damagedRanges;
  }

  int familyId(byte[] name) throws RocksDBException {
    for (ColumnFamilyHandle handle : handles) {
      if (Arrays.equals(handle.getName(), name)) {
        return handle.getID();
      }
    }
    throw new RocksDBException("no column family " + new String(name, StandardCharsets.ISO_8859_1));
  }

  @Override
  public void close() {
    handles.forEach(ColumnFamilyHandle::close);
    db.close();
    reading.close();
    family.close();
    options.close();
  }
}
