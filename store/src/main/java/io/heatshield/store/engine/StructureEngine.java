package io.heatshield.store.engine;

import io.heatshield.redisbloom.Structure;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An engine of bytes that also takes structures.
 *
 * <p>Over a {@linkplain Engine#isLocal local} engine, structures that are used are kept in memory,
 * up to a bound, and changed there. A structure is written at once when it is new, renamed or gets
 * another end; its changes are written when {@link #save} is called and at the end, so that a crash
 * loses those of the time between. Those that were not written come on top of the bound. Over an
 * engine with other writers, every structure is read and written as a whole each time.
 */
public final class StructureEngine implements Engine {
  /*
   * A key that is kept is also in the engine below, with the same type and end and an older content: whoever walks over
   * the keys or asks for their number sees the engine's. Batches and saves of one key come one at a time (Engine.save),
   * so none of them needs a lock. Loads may race each other, and the first one wins; what was loaded before another
   * structure was let go is used but not kept, for it may be older than that one was. A structure that is not kept is
   * written as a whole when it is changed.
   */

  /** Makes structures of their stored forms. */
  @FunctionalInterface
  public interface Reader {
    /** Returns the structure of a form, or null if it is not one. */
    @Nullable Structure read(byte type, byte[] form);
  }

  private static final CompletionStage<Boolean> DONE = CompletableFuture.completedFuture(true);

  private final Engine engine;
  private final Reader reader;
  private final long maxBytes;
  private final Map<ByteBuffer, Kept> kept = new ConcurrentHashMap<>();
  private final AtomicLong keptBytes = new AtomicLong();
  private final AtomicLong uses = new AtomicLong();
  private final AtomicLong releases = new AtomicLong();

  /** Creates the engine over another, with a bound for what it keeps in memory, in bytes. */
  public StructureEngine(Engine engine, Reader reader, long maxBytes) {
    this.engine = engine;
    this.reader = reader;
    this.maxBytes = maxBytes;
  }

  @Override
  public CompletionStage<@Nullable Value> get(byte[] key) {
    Value live = find(key);
    long before = releases.get();
    return live != null
        ? CompletableFuture.completedFuture(live)
        : Stages.then(engine.get(key), value -> read(key, value, before));
  }

  @Override
  public CompletionStage<List<@Nullable Value>> getAll(List<byte[]> keys) {
    long before = releases.get();
    return Stages.then(
        engine.getAll(keys),
        values -> {
          var all = new ArrayList<@Nullable Value>(values.size());
          for (int i = 0; i < values.size(); i++) {
            all.add(read(keys.get(i), values.get(i), before));
          }
          return all;
        });
  }

  @Override
  public CompletionStage<Boolean> apply(Batch batch) {
    var below = new ArrayList<Batch.Change>(batch.changes().size());
    for (Batch.Change change : batch.changes()) {
      Kept known = engine.isLocal() ? kept.get(ByteBuffer.wrap(change.key())) : null;
      if (known != null && known.value.isSame(change.after())) {
        known.changed = true;
        known.weigh(keptBytes);
      } else {
        Value after = change.after();
        Value stored = after == null ? null : after.stored();
        below.add(new Batch.Change(change.key(), stored, change.hot()));
      }
    }
    if (below.isEmpty()) {
      return DONE;
    }
    return Stages.then(
        engine.apply(new Batch(below, batch.expected())),
        made -> {
          if (made && engine.isLocal()) {
            batch.changes().forEach(this::settle);
          }
          return made;
        });
  }

  @Override
  public List<byte[]> unsaved(int max) {
    return kept.entrySet().stream()
        .filter(entry -> entry.getValue().changed)
        .limit(max)
        .map(entry -> entry.getKey().array())
        .toList();
  }

  @Override
  public void save(byte[] key) {
    Kept known = kept.get(ByteBuffer.wrap(key));
    if (known != null && known.changed) {
      known.changed = false;
      try {
        engine.apply(Batch.of(key, known.value.stored())).toCompletableFuture().join();
      } catch (RuntimeException e) {
        known.changed = true;
        throw e;
      }
    }
    trim();
  }

  @Override
  public CompletionStage<Void> clear() {
    return engine.clear().thenRun(this::forgetAll);
  }

  @Override
  public void close() {
    try {
      unsaved(Integer.MAX_VALUE).forEach(this::save);
    } finally {
      engine.close();
    }
  }

  @Override
  public boolean isLocal() {
    return engine.isLocal();
  }

  @Override
  public boolean blocks() {
    return engine.blocks();
  }

  @Override
  public boolean isWorthCaching() {
    return engine.isWorthCaching();
  }

  @Override
  public boolean expiresByItself() {
    return engine.expiresByItself();
  }

  @Override
  public CompletionStage<ScanPage> scan(long cursor, int count) {
    return engine.scan(cursor, count);
  }

  @Override
  public void forEachKey(Predicate<byte[]> sink) {
    engine.forEachKey(sink);
  }

  @Override
  public List<byte[]> expired(long nowMillis, int max) {
    return engine.expired(nowMillis, max);
  }

  @Override
  public CompletionStage<Long> size() {
    return engine.size();
  }

  @Override
  public long sequence() {
    return engine.sequence();
  }

  @Override
  public long bytes() {
    return engine.bytes() + keptBytes.get();
  }

  @Override
  public long room() {
    return engine.room();
  }

  @Override
  public void onForeignChange(Consumer<byte @Nullable []> listener) {
    engine.onForeignChange(listener);
  }

  @Override
  public boolean tellsForeignChanges() {
    return engine.tellsForeignChanges();
  }

  @Override
  public boolean keepsApart() {
    return engine.keepsApart();
  }

  @Override
  public long moves() {
    return engine.moves();
  }

  @Override
  public List<byte[]> apart(int max) {
    return engine.apart(max);
  }

  @Override
  public void rejoin(byte[] key) {
    engine.rejoin(key);
  }

  @Override
  public EngineFaults faults() {
    return engine.faults();
  }

  @Override
  public void maintain() {
    engine.maintain();
  }

  @Override
  public long estimatedSize() {
    return engine.estimatedSize();
  }

  private @Nullable Value find(byte[] key) {
    if (kept.isEmpty()) {
      return null;
    }
    Kept known = kept.get(ByteBuffer.wrap(key));
    if (known == null) {
      return null;
    }
    known.used = uses.incrementAndGet();
    return known.value;
  }

  private @Nullable Value read(byte[] key, @Nullable Value value, long before) {
    if (value == null || value.type() == Value.STRING) {
      return value;
    }
    Value live = engine.isLocal() ? find(key) : null;
    if (live != null) {
      return live;
    }
    Structure structure = reader.read(value.type(), value.bytes());
    if (structure == null) {
      return value;
    }
    if (!engine.isLocal()) {
      return value.readAs(structure);
    }
    return keep(key, Value.of(value.type(), structure).until(value.expiresAt()), before);
  }

  /** Keeps what was loaded, unless something was let go meanwhile, which might have been newer. */
  private synchronized Value keep(byte[] key, Value value, long before) {
    if (releases.get() != before) {
      return value;
    }
    var fresh = new Kept(value, uses.incrementAndGet());
    Kept first = kept.putIfAbsent(ByteBuffer.wrap(key), fresh);
    if (first != null) {
      return first.value;
    }
    fresh.weigh(keptBytes);
    trim();
    return value;
  }

  /** Takes over what a batch has made of a key. */
  private synchronized void settle(Batch.Change change) {
    Value after = change.after();
    var key = ByteBuffer.wrap(change.key());
    Kept known = kept.get(key);
    if (known != null && known.value.isSame(after)) {
      return;
    }
    releases.incrementAndGet();
    if (known != null && kept.remove(key) != null) {
      keptBytes.addAndGet(-known.bytes);
    }
    if (after != null && after.structure() != null) {
      Value value = Value.of(after.type(), after.structure()).until(after.expiresAt());
      keep(change.key(), value, releases.get());
    }
  }

  private synchronized void forgetAll() {
    releases.incrementAndGet();
    kept.clear();
    keptBytes.set(0);
  }

  /** Lets go of those that were not used for the longest time and need not be written. */
  private synchronized void trim() {
    if (keptBytes.get() <= maxBytes) {
      return;
    }
    List<Map.Entry<ByteBuffer, Kept>> oldest = new ArrayList<>(kept.entrySet());
    oldest.sort(Comparator.comparingLong(entry -> entry.getValue().used));
    for (Map.Entry<ByteBuffer, Kept> entry : oldest) {
      if (keptBytes.get() <= maxBytes) {
        return;
      }
      Kept known = entry.getValue();
      if (!known.changed && kept.remove(entry.getKey(), known)) {
        releases.incrementAndGet();
        keptBytes.addAndGet(-known.bytes);
      }
    }
  }

  /** A structure in memory. */
  private static final class Kept {
    final Value value;
    volatile boolean changed;
    volatile long used;
    long bytes;

    Kept(Value value, long used) {
      this.value = value;
      this.used = used;
    }

    synchronized void weigh(AtomicLong total) {
      Structure structure = value.structure();
      long now = structure == null ? 0 : structure.bytes();
      total.addAndGet(now - bytes);
      bytes = now;
    }
  }
}
