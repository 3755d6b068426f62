package io.heatshield.store.memory;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.store.Batch;
import io.heatshield.store.Engine;
import io.heatshield.store.Found;
import io.heatshield.store.Key;
import io.heatshield.store.ScanPage;
import io.heatshield.store.StoreException;
import io.heatshield.store.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An engine in the memory of this process, with a bound in bytes: a batch that would pass it is
 * refused as a whole, and nothing is ever thrown out to make room. A structure that has grown is
 * counted anew when it is put again, and never refused then: whoever lets it grow asks first.
 *
 * <p>A key costs its own length and that of its value, each rounded up to 8, and {@value
 * #ENTRY_BYTES} bytes.
 */
public final class MemoryEngine implements Engine {
  /*
   * A key lives in the segment that its hash names, for ever: a scan goes through the segments in order and its cursor
   * is the next one, so that no key is missed however the maps grow meanwhile. Batches for one key come one at a time
   * (see Engine.isLocal), which is why a batch may read, reckon and then write.
   */
  static final int ENTRY_BYTES = 136;

  private static final int SEGMENTS = 1024;
  private static final int SEGMENT_SHIFT = Long.SIZE - 10;
  private static final int MOST_LOOKED_AT = 10_000;
  private static final CompletionStage<Boolean> DONE = CompletableFuture.completedFuture(true);

  private final KeyHash hash = KeyHash.fast(HashSecret.random());
  private final List<Map<Key, Value>> segments = new ArrayList<>(SEGMENTS);
  private final long maxBytes;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong ending = new AtomicLong();
  private int swept;

  /** Creates an empty engine that takes at most so many bytes. */
  public MemoryEngine(long maxBytes) {
    if (maxBytes <= 0) {
      throw new IllegalArgumentException("max bytes must be positive: " + maxBytes);
    }
    this.maxBytes = maxBytes;
    for (int i = 0; i < SEGMENTS; i++) {
      segments.add(new ConcurrentHashMap<>());
    }
  }

  @Override
  public boolean isLocal() {
    return true;
  }

  @Override
  public boolean blocks() {
    return false;
  }

  @Override
  public boolean isWorthCaching() {
    return false;
  }

  @Override
  public boolean expiresByItself() {
    return false;
  }

  @Override
  public CompletionStage<@Nullable Value> get(byte[] key) {
    return CompletableFuture.completedFuture(find(new Key(key, hash.hash(key))));
  }

  @Override
  public CompletionStage<List<@Nullable Value>> getAll(List<byte[]> keys) {
    var values = new ArrayList<@Nullable Value>(keys.size());
    for (byte[] key : keys) {
      values.add(find(new Key(key, hash.hash(key))));
    }
    return CompletableFuture.completedFuture(values);
  }

  @Override
  public CompletionStage<Boolean> apply(Batch batch) {
    int count = batch.changes().size();
    var keys = new Key[count];
    long more = 0;
    long moreEnding = 0;
    boolean made = true;
    for (int i = 0; i < count; i++) {
      Batch.Change change = batch.changes().get(i);
      keys[i] = new Key(change.key(), hash.hash(change.key()));
      Value before = find(keys[i]);
      more += cost(change.key(), change.after()) - cost(change.key(), before);
      made &= before != null && before.isSame(change.after());
      moreEnding += ends(change.after()) - ends(before);
    }
    if (bytes.addAndGet(more) > maxBytes && more > 0 && !made) {
      bytes.addAndGet(-more);
      return CompletableFuture.failedFuture(
          new StoreException(
              StoreException.Reason.FULL, "the store's memory is full: " + maxBytes + " bytes"));
    }
    ending.addAndGet(moreEnding);
    for (int i = 0; i < count; i++) {
      Value after = batch.changes().get(i).after();
      if (after == null) {
        segment(keys[i]).remove(keys[i]);
      } else {
        segment(keys[i]).put(keys[i], after);
      }
    }
    return DONE;
  }

  @Override
  public CompletionStage<ScanPage> scan(long cursor, int count) {
    var found = new ArrayList<Found>();
    int next = cursor < 0 || cursor >= SEGMENTS ? SEGMENTS : (int) cursor;
    while (next < SEGMENTS && found.size() < count) {
      segments
          .get(next++)
          .forEach(
              (key, value) -> found.add(new Found(key.bytes(), value.type(), value.expiresAt())));
    }
    return CompletableFuture.completedFuture(
        new ScanPage(next == SEGMENTS ? 0 : next, List.copyOf(found)));
  }

  @Override
  public void forEachKey(Predicate<byte[]> sink) {
    for (Map<Key, Value> segment : segments) {
      for (Key key : segment.keySet()) {
        if (!sink.test(key.bytes())) {
          return;
        }
      }
    }
  }

  /** Looks at some segments, and at the next ones when it is called again. */
  @Override
  public synchronized List<byte[]> expired(long nowMillis, int max) {
    var keys = new ArrayList<byte[]>();
    int looked = 0;
    for (int i = 0; i < SEGMENTS && ending.get() > 0; i++) {
      if (keys.size() >= max || looked >= MOST_LOOKED_AT) {
        break;
      }
      Map<Key, Value> segment = segments.get(swept);
      swept = (swept + 1) % SEGMENTS;
      looked += segment.size();
      segment.forEach(
          (key, value) -> {
            if (value.isExpired(nowMillis) && keys.size() < max) {
              keys.add(key.bytes());
            }
          });
    }
    return keys;
  }

  @Override
  public CompletionStage<Long> size() {
    return CompletableFuture.completedFuture(
        segments.stream().mapToLong(segment -> segment.size()).sum());
  }

  @Override
  public CompletionStage<Void> clear() {
    segments.forEach(Map::clear);
    bytes.set(0);
    ending.set(0);
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public long sequence() {
    return -1;
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

  private @Nullable Value find(Key key) {
    return segment(key).get(key);
  }

  private Map<Key, Value> segment(Key key) {
    return segments.get((int) (key.hash() >>> SEGMENT_SHIFT));
  }

  private static int ends(@Nullable Value value) {
    return value != null && value.expires() ? 1 : 0;
  }

  private static long cost(byte[] key, @Nullable Value value) {
    return value == null ? 0 : ENTRY_BYTES + rounded(key.length) + rounded(value.weight());
  }

  private static long rounded(long length) {
    return (length + 7) & -8;
  }
}
