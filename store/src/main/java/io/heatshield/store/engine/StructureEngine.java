package io.heatshield.store.engine;

import io.heatshield.redisbloom.Structure;
import io.heatshield.store.call.Stages;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Adds structures to an engine that stores only bytes.
 *
 * <p>Over a {@linkplain Engine.Location#isLocal local} engine, structures that are used are kept in
 * memory, up to a bound, and changed there. A structure is written immediately when it is new, is
 * renamed or gets another expiry. Other changes are written by {@link #save} and when the engine is
 * closed, so a crash loses the changes since the last save. Unsaved structures are never evicted,
 * so they may exceed the bound. Over an engine with other writers, every structure is read and
 * written as a whole.
 */
public final class StructureEngine extends ForwardingEngine implements DeferredWrites, SpaceUse {
  /*
   * A key that is kept is also in the engine below, with the same type and expiry and perhaps an
   * older content, so scans and sizes come from the engine below. Batches and saves of one key are
   * serialized by the caller (DeferredWrites.save) and need no lock. Loads may race each other, and
   * the first one wins. A structure that was loaded before another one was released is used but
   * not kept, because it may be older than the released one. A structure that is not kept is
   * written as a whole when it is changed.
   */

  /** Parses the stored form of structures. */
  @FunctionalInterface
  public interface Reader {
    /** Returns the structure, or null if the bytes are not one. */
    @Nullable Structure read(byte type, byte[] form);
  }

  private static final CompletionStage<Boolean> DONE = CompletableFuture.completedFuture(true);

  private final Optional<SpaceUse> below;
  private final Reader reader;
  private final long maxBytes;
  private final Map<ByteBuffer, CachedStructure> kept = new ConcurrentHashMap<>();
  private final AtomicLong keptBytes = new AtomicLong();
  private final AtomicLong uses = new AtomicLong();
  private final AtomicLong releases = new AtomicLong();

  /** Creates the engine over another, with a bound in bytes for the structures in memory. */
  public StructureEngine(Engine engine, Reader reader, long maxBytes) {
    super(engine);
    this.below = engine.capability(SpaceUse.class);
    this.reader = reader;
    this.maxBytes = maxBytes;
  }

  @Override
  public CompletionStage<@Nullable Value> get(byte[] key) {
    Value live = find(key);
    long before = releases.get();
    return live != null
        ? CompletableFuture.completedFuture(live)
        : Stages.then(engine().get(key), value -> read(key, value, before));
  }

  @Override
  public CompletionStage<List<@Nullable Value>> getAll(List<byte[]> keys) {
    long before = releases.get();
    return Stages.then(
        engine().getAll(keys),
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
    var stored = new ArrayList<Batch.Change>(batch.changes().size());
    for (Batch.Change change : batch.changes()) {
      CachedStructure known = isLocal() ? kept.get(ByteBuffer.wrap(change.key())) : null;
      if (known != null && known.value.isSame(change.after())) {
        known.changed = true;
        known.weigh(keptBytes);
      } else {
        Value after = change.after();
        stored.add(change.with(after == null ? null : after.stored()));
      }
    }
    if (stored.isEmpty()) {
      return DONE;
    }
    return Stages.then(
        engine().apply(new Batch(stored, batch.expected())),
        made -> {
          if (made && isLocal()) {
            batch.changes().forEach(this::onChanged);
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
    CachedStructure known = kept.get(ByteBuffer.wrap(key));
    if (known != null && known.changed) {
      known.changed = false;
      try {
        engine().apply(Batch.of(key, known.value.stored())).toCompletableFuture().join();
      } catch (RuntimeException e) {
        known.changed = true;
        throw e;
      }
    }
    trim();
  }

  @Override
  public CompletionStage<Void> clear() {
    return engine().clear().thenRun(this::releaseAll);
  }

  @Override
  public void close() {
    try {
      unsaved(Integer.MAX_VALUE).forEach(this::save);
    } finally {
      engine().close();
    }
  }

  @Override
  public long bytes() {
    return below.map(SpaceUse::bytes).orElse(0L) + keptBytes.get();
  }

  @Override
  public long room() {
    return below.map(SpaceUse::room).orElse(Long.MAX_VALUE);
  }

  private boolean isLocal() {
    return location().isLocal();
  }

  private @Nullable Value find(byte[] key) {
    if (kept.isEmpty()) {
      return null;
    }
    CachedStructure known = kept.get(ByteBuffer.wrap(key));
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
    Value live = isLocal() ? find(key) : null;
    if (live != null) {
      return live;
    }
    Structure structure = reader.read(value.type(), value.bytes());
    if (structure == null) {
      return value;
    }
    if (!isLocal()) {
      return StructureValues.with(value, structure);
    }
    return keep(key, StructureValues.of(value.type(), structure).until(value.expiresAt()), before);
  }

  /** Keeps a loaded structure, unless one was released meanwhile, which may have been newer. */
  private synchronized Value keep(byte[] key, Value value, long before) {
    if (releases.get() != before) {
      return value;
    }
    var fresh = new CachedStructure(value, uses.incrementAndGet());
    CachedStructure first = kept.putIfAbsent(ByteBuffer.wrap(key), fresh);
    if (first != null) {
      return first.value;
    }
    fresh.weigh(keptBytes);
    trim();
    return value;
  }

  /** Updates the kept structures after a batch has changed a key. */
  private synchronized void onChanged(Batch.Change change) {
    Value after = change.after();
    var key = ByteBuffer.wrap(change.key());
    CachedStructure known = kept.get(key);
    if (known != null && known.value.isSame(after)) {
      return;
    }
    releases.incrementAndGet();
    if (known != null && kept.remove(key) != null) {
      keptBytes.addAndGet(-known.bytes);
    }
    Structure structure = after == null ? null : after.structure();
    if (after != null && structure != null) {
      Value value = StructureValues.of(after.type(), structure).until(after.expiresAt());
      keep(change.key(), value, releases.get());
    }
  }

  private synchronized void releaseAll() {
    releases.incrementAndGet();
    kept.clear();
    keptBytes.set(0);
  }

  /** Releases the least recently used structures that have no unsaved changes. */
  private synchronized void trim() {
    if (keptBytes.get() <= maxBytes) {
      return;
    }
    List<Map.Entry<ByteBuffer, CachedStructure>> oldest = new ArrayList<>(kept.entrySet());
    oldest.sort(Comparator.comparingLong(entry -> entry.getValue().used));
    for (Map.Entry<ByteBuffer, CachedStructure> entry : oldest) {
      if (keptBytes.get() <= maxBytes) {
        return;
      }
      CachedStructure known = entry.getValue();
      if (!known.changed && kept.remove(entry.getKey(), known)) {
        releases.incrementAndGet();
        keptBytes.addAndGet(-known.bytes);
      }
    }
  }

  /** A structure in memory. */
  private static final class CachedStructure {
    final Value value;
    volatile boolean changed;
    volatile long used;
    long bytes;

    CachedStructure(Value value, long used) {
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
