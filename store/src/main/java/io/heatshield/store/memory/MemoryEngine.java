package io.heatshield.store.memory;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.store.engine.Batch;
import io.heatshield.store.engine.Found;
import io.heatshield.store.engine.InlineEngine;
import io.heatshield.store.engine.ScanPage;
import io.heatshield.store.engine.StoreException;
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
 * An engine in the memory of this process, with a bound in bytes: a batch that would pass it is
 * refused as a whole, and nothing is ever thrown out to make room. A structure that has grown is
 * counted anew when it is put again, and never refused then: whoever lets it grow asks first.
 *
 * <p>A key costs its own length and that of its value, each rounded up to 8, and {@value
 * #ENTRY_BYTES} bytes; {@value #VALUE_BYTES} more for values other than plain bytes without an end.
 */
public final class MemoryEngine implements InlineEngine {
  /*
   * The highest bits of a key's hash name its shelf and the bits below its chain there, so the keys have one order for
   * ever, by hash. A scan goes through it chain by chain and its cursor is the place that it has come to, so that no key
   * is missed however the shelves grow meanwhile. Batches for one key come one at a time (see Engine.isLocal), which is
   * why a batch may read, reckon and then write.
   *
   * The hash of a key comes from the store, which hashes it once for all. SCAN shows where keys lie, and that must tell
   * nobody their hashes, so it is mixed by a secret of the engine's own, two odd factors: another hash, one for one.
   *
   * By MemoryFootprintTest: the entry 48, two arrays' heads 32, and at most two references in the chains 8, with 12-byte
   * headers and 4-byte references; a value of 40 for anything but plain bytes without an end.
   */
  static final int ENTRY_BYTES = 88;
  static final int VALUE_BYTES = 40;
  static final int SHELF_BITS = 6;

  /** The bits of a place in a shelf. */
  static final int PLACE_BITS = Long.SIZE - SHELF_BITS;

  /** The places in a shelf. */
  static final long PLACES = 1L << PLACE_BITS;

  /** A cursor has the shelf and the upper bits of the place: more than a shelf has chains. */
  private static final int CURSOR_SHIFT = 30;

  private static final int SHELVES = 1 << SHELF_BITS;
  private static final int MOST_LOOKED_AT = 10_000;
  private static final Value PLAIN = Value.of("");
  private static final CompletionStage<Boolean> DONE = CompletableFuture.completedFuture(true);

  private final long firstFactor;
  private final long secondFactor;
  private volatile KeyHash hash = KeyHash.fast(HashSecret.random());
  private final Shelf[] shelves = new Shelf[SHELVES];
  private final long maxBytes;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong ending = new AtomicLong();
  private long swept;

  /** Creates an empty engine that takes at most so many bytes. */
  public MemoryEngine(long maxBytes) {
    if (maxBytes <= 0) {
      throw new IllegalArgumentException("max bytes must be positive: " + maxBytes);
    }
    this.maxBytes = maxBytes;
    var random = new SecureRandom();
    firstFactor = random.nextLong() | 1;
    secondFactor = random.nextLong() | 1;
    Arrays.setAll(shelves, i -> new Shelf());
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
  public void hashBy(KeyHash keyHash) {
    var held = new ArrayList<Shelf.Entry>();
    forEachEntry(held::add);
    for (Shelf shelf : shelves) {
      shelf.clear();
    }
    hash = keyHash;
    for (Shelf.Entry entry : held) {
      long placed = placed(keyHash.hash(entry.key));
      shelf(placed).put(placed, entry.key, entry.content());
    }
  }

  @Override
  public @Nullable Value find(byte[] key, long keyHash) {
    return findAt(placed(keyHash), key);
  }

  @Override
  public void put(byte[] key, long keyHash, byte[] bytes, LongConsumer isNew) {
    long placed = placed(keyHash);
    Shelf shelf = shelf(placed);
    Shelf.@Nullable Entry[] chains = shelf.chains();
    Shelf.Entry before = Shelf.find(chains, placed, key);
    reserve(cost(key, Value.of(bytes)) - cost(before), -ends(before), false);
    if (before == null) {
      isNew.accept(keyHash);
    }
    if (before == null || !shelf.overwrite(chains, before, bytes)) {
      shelf.put(placed, key, bytes);
    }
  }

  @Override
  public int fetch(byte[][] keys, long[] hashes, int count) {
    var entries = new Shelf.@Nullable Entry[count];
    for (int i = 0; i < count; i++) {
      long placed = placed(hashes[i]);
      entries[i] = shelf(placed).first(placed);
    }
    var contents = new @Nullable Object[count];
    for (int i = 0; i < count; i++) {
      long placed = placed(hashes[i]);
      Shelf.Entry entry = entries[i];
      while (entry != null && entry.hash != placed) {
        entry = entry.next();
      }
      contents[i] = entry == null || entry.key.length != keys[i].length ? null : entry.content();
    }
    int found = 0;
    for (Object content : contents) {
      found += content == null || contentBytes(content) < 0 ? 0 : 1;
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
    int moreEnding = 0;
    boolean made = true;
    for (int i = 0; i < count; i++) {
      Batch.Change change = batch.changes().get(i);
      hashes[i] = placed(hash.hash(change.key()));
      Shelf.Entry before = shelf(hashes[i]).find(hashes[i], change.key());
      more += cost(change.key(), change.after()) - cost(before);
      made &= before != null && before.content() instanceof Value now && now.isSame(change.after());
      moreEnding += ends(change.after()) - ends(before);
    }
    try {
      reserve(more, moreEnding, made);
    } catch (StoreException e) {
      return CompletableFuture.failedFuture(e);
    }
    for (int i = 0; i < count; i++) {
      Batch.Change change = batch.changes().get(i);
      Value after = change.after();
      Shelf shelf = shelf(hashes[i]);
      if (after == null) {
        shelf.remove(hashes[i], change.key());
      } else {
        shelf.put(hashes[i], change.key(), content(after));
      }
    }
    return DONE;
  }

  @Override
  public CompletionStage<ScanPage> scan(long cursor, int count) {
    var found = new ArrayList<Found>();
    long at = cursor < 0 || cursor > (-1L >>> CURSOR_SHIFT) ? 0 : cursor << CURSOR_SHIFT;
    if (at != 0 || cursor == 0) {
      do {
        at =
            forEachAt(
                at,
                e -> {
                  Value value = e.content() instanceof Value now ? now : PLAIN;
                  found.add(new Found(e.key, value.type(), value.expiresAt()));
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

  /** Looks at some keys, and at the next ones when it is called again. */
  @Override
  public synchronized List<byte[]> expired(long nowMillis, int max) {
    var keys = new ArrayList<byte[]>();
    var looked = new int[1];
    long from = swept;
    do {
      if (ending.get() == 0) {
        break;
      }
      swept =
          forEachAt(
              swept,
              e -> {
                looked[0]++;
                if (e.content() instanceof Value value && value.isExpired(nowMillis)) {
                  keys.add(e.key);
                }
              });
    } while (keys.size() < max && looked[0] < MOST_LOOKED_AT && swept != from);
    return keys;
  }

  @Override
  public CompletionStage<Long> size() {
    return CompletableFuture.completedFuture(Arrays.stream(shelves).mapToLong(Shelf::size).sum());
  }

  @Override
  public CompletionStage<Void> clear() {
    for (Shelf shelf : shelves) {
      shelf.clear();
    }
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

  /**
   * Takes so many bytes more, and so many values more that end; or refuses, unless the change is
   * made already, in a structure.
   */
  private void reserve(long more, int moreEnding, boolean made) {
    if (more != 0 && bytes.addAndGet(more) > maxBytes && more > 0 && !made) {
      bytes.addAndGet(-more);
      throw new StoreException(
          StoreException.Reason.FULL, "the store's memory is full: " + maxBytes + " bytes");
    }
    if (moreEnding != 0) {
      ending.addAndGet(moreEnding);
    }
  }

  /** Shows every entry. */
  void forEachEntry(Consumer<Shelf.Entry> visitor) {
    long at = 0;
    do {
      at = forEachAt(at, visitor);
    } while (at != 0);
  }

  /** Returns how many chains there are. */
  long chains() {
    return Arrays.stream(shelves).mapToLong(Shelf::chainCount).sum();
  }

  /** Shows one chain of the keys, in the order of their hashes; returns the next, or 0. */
  private long forEachAt(long from, Consumer<Shelf.Entry> visitor) {
    int shelf = (int) (from >>> PLACE_BITS);
    long next = shelves[shelf].forEachAt(from & (PLACES - 1), visitor);
    return ((long) shelf << PLACE_BITS) + next;
  }

  /** Returns what an entry's content costs besides the head of an array. */
  static long contentBytes(Object content) {
    return content instanceof byte[] plain
        ? rounded(plain.length)
        : VALUE_BYTES + rounded(((Value) content).weight());
  }

  /** Returns what an entry keeps of a value: of plain bytes without an end only the bytes. */
  private static Object content(Value value) {
    boolean isPlain = value.type() == Value.STRING && value.structure() == null && !value.expires();
    return isPlain ? value.bytes() : value;
  }

  private @Nullable Value findAt(long placed, byte[] key) {
    Shelf.Entry entry = shelf(placed).find(placed, key);
    return entry == null ? null : entry.value();
  }

  /** Returns the hash that places a key, of the one that the store has. */
  private long placed(long keyHash) {
    long mixed = keyHash * firstFactor;
    return (mixed ^ (mixed >>> Integer.SIZE)) * secondFactor;
  }

  private Shelf shelf(long placed) {
    return shelves[(int) (placed >>> PLACE_BITS)];
  }

  private static int ends(@Nullable Value value) {
    return value != null && value.expires() ? 1 : 0;
  }

  private static int ends(Shelf.@Nullable Entry entry) {
    return entry != null && entry.ends() ? 1 : 0;
  }

  private static long cost(byte[] key, @Nullable Value value) {
    return value == null ? 0 : ENTRY_BYTES + rounded(key.length) + contentBytes(content(value));
  }

  private static long cost(Shelf.@Nullable Entry entry) {
    return entry == null ? 0 : ENTRY_BYTES + rounded(entry.key.length) + entry.contentBytes();
  }

  private static long rounded(long length) {
    return (length + 7) & -8;
  }
}
