package io.heatshield.redisbloom;

import static io.heatshield.snapshot.InvalidSnapshotException.require;

import io.heatshield.hash.HashSecret;
import io.heatshield.snapshot.InvalidSnapshotException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of a {@link LayeredCuckoo}, version 2, whole or in chunks; numbers are
 * little-endian.
 *
 * <pre>
 * header   4  "HSCF"                          chunk   4  "HSCC"
 *          1  version, 2                              4  the header's checksum
 *          1  number of tables t, 1 to 16             8  position of the first byte in the content
 *          2  bucket size                             n  content
 *          4  max iterations                          4  checksum
 *          4  expansion
 *          4  items in the map of counts      whole   4  length of the header
 *          8  capacity                                h  header
 *          8  items deleted                           n  content
 *         16  key of the hash function                4  checksum
 *          1  spare position bits of the first table when it was created
 *          1  doublings of the first table
 *      8 x t  fingerprints in each table
 *          4  checksum
 * </pre>
 *
 * The content is, for each table from the oldest on, its words and its spare bits, followed by 16
 * bytes per item of the map.
 */
final class CuckooDump {
  static final int FIXED_HEADER_BYTES = 54;
  static final int CHUNK_HEADER_BYTES = 16;
  private static final int HEADER_MAGIC = 0x46435348;
  private static final int CHUNK_MAGIC = 0x43435348;
  private static final int VERSION = 2;
  private static final long MAX_EXTRA_COPIES = 1L << 62;
  private static final int PAIR_BYTES = 2 * Long.BYTES;

  private CuckooDump() {}

  static byte[] header(LayeredCuckoo filter) {
    int tables = filter.layers.size();
    ByteBuffer out = StoredBytes.allocate(FIXED_HEADER_BYTES + (long) Long.BYTES * tables);
    out.putInt(HEADER_MAGIC).put((byte) VERSION).put((byte) tables);
    out.putShort((short) filter.shape.bucketSize());
    out.putInt(filter.shape.maxIterations()).putInt(filter.shape.expansion());
    out.putInt(filter.repeated.size()).putLong(filter.shape.capacity()).putLong(filter.deleted);
    out.put(filter.secret.toBytes());
    out.put((byte) filter.depth).put((byte) filter.doublings());
    filter.layers.forEach(layer -> out.putLong(layer.count));
    return StoredBytes.sealed(out);
  }

  /** Returns an empty filter with the tables of a header; allocates nothing if that is invalid. */
  static LayeredCuckoo fromHeader(byte[] header, LongPredicate mayUse)
      throws InvalidSnapshotException {
    ByteBuffer in = StoredBytes.open(header);
    require(in.remaining() >= FIXED_HEADER_BYTES, "ends too early");
    require(in.getInt() == HEADER_MAGIC && in.get() == VERSION, "is not of a filter");
    int tables = in.get();
    require(tables >= 1 && tables <= LayeredCuckoo.MAX_LAYERS, "has too many tables");
    require(in.limit() == FIXED_HEADER_BYTES + (Long.BYTES * tables), "has the wrong length");
    int bucketSize = in.getShort();
    int iterations = in.getInt();
    int expansion = in.getInt();
    int repeated = in.getInt();
    CuckooShape shape = shape(in.getLong(), bucketSize, iterations, expansion);
    long deleted = in.getLong();
    HashSecret secret = Secrets.read(in);
    int depth = in.get();
    int doublings = in.get();
    require(depth >= Math.min(1, expansion) && depth <= CuckooLayer.MAX_SPARE, "is invalid");
    require(doublings >= 0 && doublings <= Math.max(0, depth - 1), "is invalid");
    require(tables == 1 || (expansion != 0 && doublings == depth - 1), "has too many tables");
    require(
        deleted >= 0
            && deleted <= MAX_EXTRA_COPIES
            && repeated >= 0
            && repeated <= shape.maxRepeatedItems(),
        "is invalid");
    long bytes = CountMap.bytes(repeated);
    long[] counts = new long[tables];
    for (int i = 0; i < tables; i++) {
      long layerBytes = shape.layerBytes(doublings + i, LayeredCuckoo.spare(depth, doublings, i));
      require(layerBytes > 0, "has too large a table");
      bytes += layerBytes;
      counts[i] = in.getLong();
      require(counts[i] >= 0 && counts[i] <= layerBytes / 2, "is invalid");
    }
    require(mayUse.test(bytes), "needs too much memory");
    var filter = new LayeredCuckoo(shape, secret, depth);
    for (int i = 0; i < tables; i++) {
      filter.layers.add(shape.layer(doublings + i, LayeredCuckoo.spare(depth, doublings, i)));
      require(counts[i] <= filter.layers.get(i).limit, "is invalid");
    }
    filter.deleted = deleted;
    filter.loading = new CuckooLoad(header, counts, new byte[PAIR_BYTES * repeated], 0);
    return filter;
  }

  /** Returns a chunk of at most {@code maxBytes} bytes in total, or null after the end. */
  static byte @Nullable [] chunk(LayeredCuckoo filter, long from, int maxBytes) {
    long left = contentBytes(filter) - from;
    if (left <= 0) {
      return null;
    }
    int count = (int) Math.min(left, Math.max(1, maxBytes - CHUNK_HEADER_BYTES - StoredBytes.SEAL));
    byte[] header = header(filter);
    ByteBuffer out = StoredBytes.allocate(CHUNK_HEADER_BYTES + (long) count);
    out.putInt(CHUNK_MAGIC).put(header, header.length - StoredBytes.SEAL, StoredBytes.SEAL);
    out.putLong(from);
    copyContent(filter, from, count, out);
    return StoredBytes.sealed(out);
  }

  /** Loads a chunk; loading a chunk again has no effect. */
  static void load(LayeredCuckoo filter, byte[] chunk, long next) throws InvalidSnapshotException {
    CuckooLoad load = filter.loading;
    if (load == null) {
      throw new InvalidSnapshotException("no dump is being loaded");
    }
    ByteBuffer in = StoredBytes.open(chunk);
    require(in.remaining() > CHUNK_HEADER_BYTES, "ends too early");
    require(in.getInt() == CHUNK_MAGIC && in.getInt() == load.seal(), "is of another dump");
    long from = in.getLong();
    long end = from + in.remaining();
    require(from >= 0 && end == next, "is not at this position");
    if (end > load.next()) {
      require(from == load.next() && end <= contentBytes(filter), "is not the next chunk");
      loadContent(filter, in, from, end);
    }
  }

  /** Returns the whole form; while the filter is being loaded, with the content so far. */
  static byte[] form(LayeredCuckoo filter) {
    CuckooLoad load = filter.loading;
    byte[] header = load == null ? header(filter) : load.header();
    long content = load == null ? contentBytes(filter) : load.next();
    ByteBuffer out = StoredBytes.allocate(Integer.BYTES + header.length + content);
    out.putInt(header.length).put(header);
    copyContent(filter, 0, content, out);
    return StoredBytes.sealed(out);
  }

  static LayeredCuckoo read(byte[] form, LongPredicate mayUse) throws InvalidSnapshotException {
    ByteBuffer in = StoredBytes.open(form);
    require(in.remaining() >= Integer.BYTES, "ends too early");
    int length = in.getInt();
    require(length >= 0 && length <= in.remaining(), "ends too early");
    byte[] header = new byte[length];
    in.get(header);
    LayeredCuckoo filter = fromHeader(header, mayUse);
    long end = in.remaining();
    require(end <= contentBytes(filter), "has the wrong length");
    loadContent(filter, in, 0, end);
    return filter;
  }

  private static CuckooShape shape(long capacity, int bucketSize, int iterations, int expansion)
      throws InvalidSnapshotException {
    try {
      return new CuckooShape(capacity, bucketSize, iterations, expansion);
    } catch (IllegalArgumentException e) {
      throw new InvalidSnapshotException("snapshot is invalid: " + e.getMessage());
    }
  }

  private static long contentBytes(LayeredCuckoo filter) {
    CuckooLoad load = filter.loading;
    long pairs = load == null ? (long) PAIR_BYTES * filter.repeated.size() : load.pairs().length;
    return tableBytes(filter) + pairs;
  }

  private static long tableBytes(LayeredCuckoo filter) {
    return filter.layers.stream().mapToLong(CuckooLayer::bytes).sum();
  }

  private static void copyContent(LayeredCuckoo filter, long from, long count, ByteBuffer out) {
    long position = from;
    long start = 0;
    long end = from + count;
    for (CuckooLayer layer : filter.layers) {
      for (; position < Math.min(end, start + layer.bytes()); position++) {
        out.put(layer.byteAt(position - start));
      }
      start += layer.bytes();
    }
    if (position < end) {
      out.put(pairs(filter), (int) (position - start), (int) (end - position));
    }
  }

  private static byte[] pairs(LayeredCuckoo filter) {
    CuckooLoad load = filter.loading;
    if (load != null) {
      return load.pairs();
    }
    byte[] all = new byte[PAIR_BYTES * filter.repeated.size()];
    filter.repeated.writeTo(ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN));
    return all;
  }

  /** Loads the content between two positions; at the end of the content, completes the load. */
  private static void loadContent(LayeredCuckoo filter, ByteBuffer in, long from, long end)
      throws InvalidSnapshotException {
    CuckooLoad load = filter.loading;
    if (load == null) {
      return;
    }
    long position = from;
    long start = 0;
    for (CuckooLayer layer : filter.layers) {
      for (; position < Math.min(end, start + layer.bytes()); position++) {
        layer.setByteAt(position - start, in.get());
      }
      start += layer.bytes();
    }
    if (position < end) {
      in.get(load.pairs(), (int) (position - start), (int) (end - position));
    }
    if (end < contentBytes(filter)) {
      filter.loading = load.advanceTo(end);
    } else {
      finish(filter, load);
    }
  }

  /** Completes a load if the content matches the header. */
  private static void finish(LayeredCuckoo filter, CuckooLoad load)
      throws InvalidSnapshotException {
    for (int i = 0; i < load.counts().length; i++) {
      long found = filter.layers.get(i).countFingerprints();
      require(found == load.counts()[i], "holds the wrong number of items");
    }
    ByteBuffer in = ByteBuffer.wrap(load.pairs()).order(ByteOrder.LITTLE_ENDIAN);
    CountMap repeated = CountMap.read(in, load.pairs().length / PAIR_BYTES, MAX_EXTRA_COPIES);
    require(repeated.sum() <= MAX_EXTRA_COPIES, "holds an invalid count");
    for (int i = 0; i < load.counts().length; i++) {
      filter.layers.get(i).count = load.counts()[i];
    }
    filter.repeated = repeated;
    filter.extraCopies = repeated.sum();
    filter.loading = null;
  }
}
