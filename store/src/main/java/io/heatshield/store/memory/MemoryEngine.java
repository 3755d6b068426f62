package io.heatshield.store.memory;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.store.engine.Batch;
import io.heatshield.store.engine.Engine;
import io.heatshield.store.engine.ExpirySweep;
import io.heatshield.store.engine.InlineCalls;
import io.heatshield.store.engine.ScanPage;
import io.heatshield.store.engine.ScannedKey;
import io.heatshield.store.engine.SpaceUse;
import io.heatshield.store.engine.StoreException;
import io.heatshield.store.engine.StructureValues;
import io.heatshield.store.engine.Value;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An engine in the memory of this process, with a maximum size in bytes. A batch that would exceed
 * it is refused as a whole, and nothing is evicted to make room. A structure that has grown is
 * measured when it is put again, and never refused then: its owner must check {@link #room} before
 * it lets the structure grow.
 *
 * <p>A key costs the lengths of key and value, each rounded up to 8, and {@value
 * EntryCost#ENTRY_BYTES} bytes; {@value EntryCost#VALUE_BYTES} more for values other than plain
 * bytes without an expiry.
 */
public final class MemoryEngine implements Engine, InlineCalls, ExpirySweep, SpaceUse {
  /*
   * The highest bits of a key's hash select its segment and the bits below select its chain there,
   * so the keys have one fixed order, by hash. A scan walks the chains in that order, and its
   * cursor is the place that it has reached, so it misses no key when segments grow. Batches of one
   * key are serialized (see Engine.Location.isLocal), so a batch may read, compute the cost and
   * then write.
   *
   * The store hashes a key once and passes the hash in. SCAN reveals the order of the keys, which
   * must not reveal their hashes, so the hash is mixed with two secret odd factors of the engine.
   * The mixing is a bijection.
   */
  static final int SEGMENT_BITS = 6;

  /** The number of bits of a place in a segment. */
  static final int PLACE_BITS = Long.SIZE - SEGMENT_BITS;

  /** The number of places in a segment. */
  static final long PLACES = 1L << PLACE_BITS;

  /** A cursor has the segment and the upper bits of the place, more than a segment has chains. */
  private static final int CURSOR_SHIFT = 30;

  private static final int SEGMENTS = 1 << SEGMENT_BITS;
  private static final int MAX_VISITED = 10_000;
  private static final Value PLAIN = Value.of("");
  private static final CompletionStage<Boolean> DONE = CompletableFuture.completedFuture(true);

  private final long firstFactor;
  private final long secondFactor;
  private volatile KeyHash hash = KeyHash.fast(HashSecret.random());
  private final HashSegment[] segments = new HashSegment[SEGMENTS];
  private final long maxBytes;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong expiring = new AtomicLong();
  private long swept;

  /** Creates an empty engine with a maximum size in bytes. */
  public MemoryEngine(long maxBytes) {
    if (maxBytes <= 0) {
      throw new IllegalArgumentException("max bytes must be positive: " + maxBytes);
    }
    this.maxBytes = maxBytes;
    var random = new SecureRandom();
    firstFactor = random.nextLong() | 1;
    secondFactor = random.nextLong() | 1;
    Arrays.setAll(segments, i -> new HashSegment());
  }

  @Override
  public Location location() {
    return Location.MEMORY;
  }

  @Override
  public void hashBy(KeyHash keyHash) {
    var held = new ArrayList<HashSegment.Entry>();
    forEachEntry(held::add);
    for (HashSegment segment : segments) {
      segment.clear();
    }
    hash = keyHash;
    for (HashSegment.Entry entry : held) {
      long placed = placed(keyHash.hash(entry.key));
      segment(placed).put(placed, entry.key, entry.content());
    }
  }

  @Override
  public @Nullable Value find(byte[] key, long keyHash) {
    long placed = placed(keyHash);
    HashSegment.Entry entry = segment(placed).find(placed, key);
    return entry == null ? null : entry.value();
  }

  @Override
  public void put(byte[] key, long keyHash, byte[] bytes, LongConsumer isNew) {
    long placed = placed(keyHash);
    HashSegment segment = segment(placed);
    HashSegment.@Nullable Entry[] chains = segment.chains();
    HashSegment.Entry before = HashSegment.find(chains, placed, key);
    reserve(EntryCost.of(key, Value.of(bytes)) - EntryCost.of(before), -expiring(before), false);
    if (before == null) {
      isNew.accept(keyHash);
    }
    if (before == null || !segment.overwrite(chains, before, bytes)) {
      segment.put(placed, key, bytes);
    }
  }

  @Override
  public int fetch(byte[][] keys, long[] hashes, int count) {
    var entries = new HashSegment.@Nullable Entry[count];
    for (int i = 0; i < count; i++) {
      long placed = placed(hashes[i]);
      entries[i] = segment(placed).first(placed);
    }
    var contents = new @Nullable Object[count];
    for (int i = 0; i < count; i++) {
      long placed = placed(hashes[i]);
      HashSegment.Entry entry = entries[i];
      while (entry != null && entry.hash != placed) {
        entry = entry.next();
      }
      contents[i] = entry == null || entry.key.length != keys[i].length ? null : entry.content();
    }
    int found = 0;
    for (Object content : contents) {
      found += content == null || EntryCost.ofContent(content) < 0 ? 0 : 1;
    }
    return found;
  }

  @Override
  public CompletionStage<@Nullable Value> get(byte[] key) {
    return CompletableFuture.completedFuture(find(key, hash.hash(key)));
  }

  @Override
  public CompletionStage<List<@Nullable Value>> getAll(List<byte[]> keys) {
    var values = new ArrayList<@Nullable Value>(keys.size());
    for (byte[] key : keys) {
      values.add(find(key, hash.hash(key)));
    }
    return CompletableFuture.completedFuture(values);
  }

  @Override
  public CompletionStage<Boolean> apply(Batch batch) {
    int count = batch.changes().size();
    var hashes = new long[count];
    long more = 0;
    int moreExpiring = 0;
    boolean made = true;
    for (int i = 0; i < count; i++) {
      Batch.Change change = batch.changes().get(i);
      hashes[i] = placed(hash.hash(change.key()));
      HashSegment.Entry before = segment(hashes[i]).find(hashes[i], change.key());
      more += EntryCost.of(change.key(), change.after()) - EntryCost.of(before);
      made &=
          before != null
              && before.content() instanceof Value now
              && StructureValues.isSame(now, change.after());
      moreExpiring += expiring(change.after()) - expiring(before);
    }
    try {
      reserve(more, moreExpiring, made);
    } catch (StoreException e) {
      return CompletableFuture.failedFuture(e);
    }
    for (int i = 0; i < count; i++) {
      Batch.Change change = batch.changes().get(i);
      Value after = change.after();
      HashSegment segment = segment(hashes[i]);
      if (after == null) {
        segment.remove(hashes[i], change.key());
      } else {
        segment.put(hashes[i], change.key(), HashSegment.content(after));
      }
    }
    return DONE;
  }

  @Override
  public CompletionStage<ScanPage> scan(long cursor, int count) {
    var found = new ArrayList<ScannedKey>();
    long at = cursor < 0 || cursor > (-1L >>> CURSOR_SHIFT) ? 0 : cursor << CURSOR_SHIFT;
    if (at != 0 || cursor == 0) {
      do {
        at =
            forEachAt(
                at,
                e -> {
                  Value value = e.content() instanceof Value now ? now : PLAIN;
                  found.add(new ScannedKey(e.key, value.type(), value.expiresAt()));
                });
      } while (at != 0 && found.size() < count);
    }
    return CompletableFuture.completedFuture(new ScanPage(at >>> CURSOR_SHIFT, List.copyOf(found)));
  }

  @Override
  public void forEachKey(Predicate<byte[]> sink) {
    var going = new boolean[] {true};
    long at = 0;
    do {
      at = forEachAt(at, e -> going[0] = going[0] && sink.test(e.key));
    } while (at != 0 && going[0]);
  }

  /** Checks some keys, and the next ones when it is called again. */
  @Override
  public synchronized List<byte[]> expired(long nowMillis, int max) {
    var keys = new ArrayList<byte[]>();
    var visited = new int[1];
    long from = swept;
    do {
      if (expiring.get() == 0) {
        break;
      }
      swept =
          forEachAt(
              swept,
              e -> {
                visited[0]++;
                if (e.content() instanceof Value value && value.isExpired(nowMillis)) {
                  keys.add(e.key);
                }
              });
    } while (keys.size() < max && visited[0] < MAX_VISITED && swept != from);
    return keys;
  }

  @Override
  public CompletionStage<Long> size() {
    return CompletableFuture.completedFuture(
        Arrays.stream(segments).mapToLong(HashSegment::size).sum());
  }

  @Override
  public CompletionStage<Void> clear() {
    for (HashSegment segment : segments) {
      segment.clear();
    }
    bytes.set(0);
    expiring.set(0);
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public long bytes() {
    return bytes.get();
  }

  @Override
  public long room() {
    return Math.max(0, maxBytes - bytes.get());
  }

  @Override
  public void close() {}

  /**
   * Adds to the used bytes and the number of expiring values. Throws if the engine is full, unless
   * the change has been made already, in a structure.
   */
  private void reserve(long more, int moreExpiring, boolean made) {
    if (more != 0 && bytes.addAndGet(more) > maxBytes && more > 0 && !made) {
      bytes.addAndGet(-more);
      throw new StoreException(
          StoreException.Reason.FULL, "the store's memory is full: " + maxBytes + " bytes");
    }
    if (moreExpiring != 0) {
      expiring.addAndGet(moreExpiring);
    }
  }

  /** Visits every entry. */
  void forEachEntry(Consumer<HashSegment.Entry> visitor) {
    long at = 0;
    do {
      at = forEachAt(at, visitor);
    } while (at != 0);
  }

  /** Returns the number of chains. */
  long chains() {
    return Arrays.stream(segments).mapToLong(HashSegment::chainCount).sum();
  }

  /** Visits one chain, in the order of hashes; returns the place of the next one, or 0. */
  private long forEachAt(long from, Consumer<HashSegment.Entry> visitor) {
    int segment = (int) (from >>> PLACE_BITS);
    long next = segments[segment].forEachAt(from & (PLACES - 1), visitor);
    return ((long) segment << PLACE_BITS) + next;
  }

  /** Returns the hash that determines the place of a key, from the store's hash. */
  private long placed(long keyHash) {
    long mixed = keyHash * firstFactor;
    return (mixed ^ (mixed >>> Integer.SIZE)) * secondFactor;
  }

  private HashSegment segment(long placed) {
    return segments[(int) (placed >>> PLACE_BITS)];
  }

  private static int expiring(@Nullable Value value) {
    return value != null && value.expires() ? 1 : 0;
  }

  private static int expiring(HashSegment.@Nullable Entry entry) {
    return entry != null && entry.expires() ? 1 : 0;
  }
}
