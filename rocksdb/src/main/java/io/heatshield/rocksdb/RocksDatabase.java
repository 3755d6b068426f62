package io.heatshield.rocksdb;

import io.heatshield.store.engine.StoreException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.Filter;
import org.rocksdb.FlushOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Statistics;
import org.rocksdb.TickerType;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteOptions;

/** An open database and its column families. */
final class RocksDatabase implements AutoCloseable {
  /*
   * Index and filter blocks are not in the block cache: in a small cache they evict each other, and
   * reads become thirty times slower.
   */
  static final int METADATA = 0;
  static final int COLD = 1;
  static final int HOT = 2;
  static final int EXPIRIES = 3;

  private static final List<String> NAMES = List.of("default", "cold", "hot", "ends");

  private final Path folder;
  private final FileEventListener events;
  final RocksDB db;
  final ColumnFamilyHandle metadata;
  final ColumnFamilyHandle cold;
  final ColumnFamilyHandle hot;
  final ColumnFamilyHandle expiries;
  final ReadOptions reading = new ReadOptions();
  final WriteOptions writing = new WriteOptions();
  private final @Nullable Statistics statistics;
  private final List<AutoCloseable> owned = new ArrayList<>();
  private final List<ColumnFamilyHandle> handles = new ArrayList<>();

  private RocksDatabase(RocksOptions options, boolean fresh) {
    folder = options.folder();
    events = own(new FileEventListener(folder));
    DBOptions db =
        own(database())
            .setCreateIfMissing(fresh)
            .setCreateMissingColumnFamilies(true)
            .setKeepLogFileNum(2)
            .setMaxBgErrorResumeCount(0)
            .setListeners(List.of(events))
            .setMaxTotalWalSize(4 * options.writeBufferBytes());
    statistics = options.measured() ? own(new Statistics()) : null;
    if (statistics != null) {
      db.setStatistics(statistics);
    }
    own(reading);
    own(writing);
    try {
      this.db = RocksDB.open(db, folder.toString(), descriptors(own(family(options))), handles);
    } catch (RocksDBException e) {
      release();
      throw RocksFailure.toOpen(folder, e);
    }
    metadata = handles.get(METADATA);
    cold = handles.get(COLD);
    hot = handles.get(HOT);
    expiries = handles.get(EXPIRIES);
    events.filesChanged();
  }

  /**
   * Returns options with which RocksDB does not open damaged data: a log may end inside a record,
   * as after a crash, and must otherwise be intact.
   */
  private static DBOptions database() {
    var names = new Properties();
    // The Java API has no setter for this one.
    names.setProperty("track_and_verify_wals_in_manifest", "true");
    return DBOptions.getDBOptionsFromProps(names)
        .setParanoidChecks(true)
        .setRecycleLogFileNum(0)
        .setWalRecoveryMode(WALRecoveryMode.TolerateCorruptedTailRecords);
  }

  static List<ColumnFamilyDescriptor> descriptors(ColumnFamilyOptions family) {
    return NAMES.stream()
        .map(name -> new ColumnFamilyDescriptor(name.getBytes(StandardCharsets.US_ASCII), family))
        .toList();
  }

  /**
   * Opens a folder.
   *
   * @param fresh whether to create an empty database
   * @throws StoreException if RocksDB cannot open it
   */
  static RocksDatabase open(RocksOptions options, boolean fresh) {
    return new RocksDatabase(options, fresh);
  }

  long compactedBytes() {
    return statistics == null ? 0 : statistics.getTickerCount(TickerType.COMPACT_WRITE_BYTES);
  }

  /** Flushes the memory into files, so that the next start needs no log. */
  void flush() throws RocksDBException {
    try (var waiting = new FlushOptions().setWaitForFlush(true)) {
      db.flush(waiting, handles);
    }
  }

  @Override
  public void close() {
    handles.forEach(ColumnFamilyHandle::close);
    db.close();
    events.filesChanged();
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
    return new ColumnFamilyOptions()
        .setTableFormatConfig(table)
        .setWriteBufferSize(options.writeBufferBytes())
        .setCompressionType(CompressionType.LZ4_COMPRESSION);
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
        throw new IllegalStateException("RocksDB object cannot be closed", e);
      }
    }
  }
}
