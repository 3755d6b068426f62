package io.heatshield.rocksdb;

import io.heatshield.store.StoreException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.BackgroundErrorReason;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.Filter;
import org.rocksdb.LRUCache;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Statistics;
import org.rocksdb.Status;
import org.rocksdb.TickerType;
import org.rocksdb.WriteOptions;

/** An open database and its column families. */
final class Families implements AutoCloseable {
  /*
   * Index and filter blocks stay out of the block cache: in a small one they push each other out, and reads become
   * thirty times slower.
   *
   * RocksDB does not recover from errors by itself: a write that finds the disk full would wait until it is not, and may
   * wait for ever, because the recovery wants to flush and a flush waits for that write to end. Pinned by DiskFullIT.
   */
  private static final List<String> NAMES = List.of("default", "cold", "hot", "ends");

  static {
    RocksDB.loadLibrary();
  }

  final RocksDB db;
  final ColumnFamilyHandle about;
  final ColumnFamilyHandle cold;
  final ColumnFamilyHandle hot;
  final ColumnFamilyHandle ends;
  final ReadOptions reading = new ReadOptions();
  final WriteOptions writing = new WriteOptions();
  private final @Nullable Statistics statistics;
  private final List<AutoCloseable> owned = new ArrayList<>();
  private final List<ColumnFamilyHandle> handles = new ArrayList<>();

  private Families(RocksOptions options) {
    try {
      Files.createDirectories(options.folder());
    } catch (IOException e) {
      throw new StoreException(
          StoreException.Reason.REFUSED, options.folder() + " can not be made or written to", e);
    }
    DBOptions db =
        own(
            new DBOptions()
                .setCreateIfMissing(true)
                .setCreateMissingColumnFamilies(true)
                .setKeepLogFileNum(2)
                .setMaxBgErrorResumeCount(0)
                .setListeners(List.of(own(new NoRecovery())))
                .setMaxTotalWalSize(4 * options.writeBufferBytes()));
    statistics = options.measured() ? own(new Statistics()) : null;
    if (statistics != null) {
      db.setStatistics(statistics);
    }
    ColumnFamilyOptions family = family(options);
    var descriptors = new ArrayList<ColumnFamilyDescriptor>();
    NAMES.forEach(
        name ->
            descriptors.add(
                new ColumnFamilyDescriptor(name.getBytes(StandardCharsets.US_ASCII), family)));
    own(reading);
    own(writing);
    try {
      this.db = RocksDB.open(db, options.folder().toString(), descriptors, handles);
    } catch (RocksDBException e) {
      release();
      throw RocksFailure.toOpen(options.folder(), e);
    }
    about = handles.get(0);
    cold = handles.get(1);
    hot = handles.get(2);
    ends = handles.get(3);
  }

  static Families open(RocksOptions options) {
    return new Families(options);
  }

  long compactedBytes() {
    return statistics == null ? 0 : statistics.getTickerCount(TickerType.COMPACT_WRITE_BYTES);
  }

  @Override
  public void close() {
    handles.forEach(ColumnFamilyHandle::close);
    db.close();
    release();
  }

  private ColumnFamilyOptions family(RocksOptions options) {
    Cache cache = own(new LRUCache(options.blockCacheBytes()));
    var table =
        new BlockBasedTableConfig().setBlockCache(cache).setCacheIndexAndFilterBlocks(false);
    if (options.bloomBits() > 0) {
      Filter bloom = own(new BloomFilter(options.bloomBits()));
      table.setFilterPolicy(bloom);
    }
    return own(
        new ColumnFamilyOptions()
            .setTableFormatConfig(table)
            .setWriteBufferSize(options.writeBufferBytes())
            .setCompressionType(CompressionType.LZ4_COMPRESSION));
  }

  private <T extends AutoCloseable> T own(T object) {
    owned.add(object);
    return object;
  }

  private void release() {
    for (int i = owned.size() - 1; i >= 0; i--) {
      try {
        owned.get(i).close();
      } catch (Exception e) {
        throw new IllegalStateException("an object of RocksDB can not be closed", e);
      }
    }
  }

  /** Says no to every recovery, so that a write which can not be carried out fails. */
  private static final class NoRecovery extends AbstractEventListener {
    NoRecovery() {
      super(EnabledEventCallback.ON_ERROR_RECOVERY_BEGIN);
    }

    @Override
    public boolean onErrorRecoveryBegin(BackgroundErrorReason reason, Status error) {
      return false;
    }
  }
}
