package io.heatshield.store;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.ring.HotRing;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The mechanisms of one store, each there or not. */
final class Guards {
  private static final int RINGS_PERCENT = 5;
  private static final int CACHE_PERCENT = 90;

  final @Nullable Absence absence;
  final @Nullable HeldKeys held;
  final @Nullable HotReads hotReads;
  final @Nullable HotWrites hotWrites;
  final @Nullable Router router;
  final Elsewhere elsewhere;
  private final Tally tally;
  private final KeyHash hash;
  private volatile StoreOptions tuned;

  Guards(Parts parts, Engine engine, HotReads.Loader loader) {
    StoreOptions options = parts.options();
    tally = parts.tally();
    hash = parts.hash();
    tuned = options;
    elsewhere = new Elsewhere(parts.hash());
    StoreOptions.Filter filter = options.filter();
    absence =
        filter == null
            ? null
            : new Absence(parts, filter, share(options.maxMemory(), filter.budgetPercent()));
    held =
        absence != null && engine.isLocal() && engine.isWorthCaching()
            ? new HeldKeys(KeyHash.sip13(parts.secret()), absence.spareBytes())
            : null;
    RingShape shape = options.ring();
    RingShape routing = options.routing().ring() == null ? shape : options.routing().ring();
    long ringBytes = share(options.maxMemory(), RINGS_PERCENT) / 3;
    HashSecret secret = parts.secret();
    if (shape == null) {
      hotReads = null;
      hotWrites = null;
    } else {
      hotReads =
          engine.isWorthCaching()
              ? new HotReads(
                  parts,
                  GatedRing.of(shape, secret, parts.ticker(), ringBytes),
                  engine,
                  share(options.maxMemory(), CACHE_PERCENT),
                  loader,
                  elsewhere)
              : null;
      HotRing writes = shape.build(secret, parts.ticker(), ringBytes);
      hotWrites = new HotWrites(parts, writes, shape, elsewhere);
    }
    router =
        routing == null || !engine.keepsApart()
            ? null
            : new Router(parts, GatedRing.of(routing, secret, parts.ticker(), ringBytes));
  }

  /** Returns the options of which modes, thresholds and times hold now. */
  StoreOptions tuned() {
    return tuned;
  }

  void retune(StoreOptions next) {
    tuned = next;
    StoreOptions.Filter filter = next.filter();
    if (absence != null && filter != null) {
      absence.mode(filter.mode());
    }
    if (hotReads != null) {
      hotReads.retune(next.hotReads());
    }
    if (hotWrites != null) {
      hotWrites.retune(next.writeLimit());
    }
    if (router != null) {
      router.retune(next.routing());
    }
  }

  /** Counts a write; returns the milliseconds until it may come again, or 0 if it may go on. */
  long clamp(byte[] key, long hash) {
    return hotWrites == null ? 0 : hotWrites.clamp(key, hash);
  }

  /** Returns whether a write of a key would be refused now; counts none. */
  boolean isFull(byte[] key, long hash) {
    return hotWrites != null && hotWrites.isFull(key, hash);
  }

  /** Returns whether writes are counted to find those that are worth grouping. */
  boolean groups() {
    return hotWrites != null && hotWrites.groups();
  }

  boolean isBurst(byte[] key, long hash) {
    return hotWrites != null && hotWrites.isBurst(key, hash);
  }

  int batchMultiplier() {
    return hotWrites == null ? 1 : hotWrites.batchMultiplier();
  }

  void grouped(int writes) {
    tally.groups.increment();
    tally.grouped.add(writes);
    if (hotWrites != null) {
      hotWrites.saved(writes - 1L);
    }
  }

  boolean routes(byte[] key, long hash) {
    return router != null && router.routes(key, hash);
  }

  /** Returns the memory of what knows which keys there are. */
  long filterBytes() {
    return (absence == null ? 0 : absence.bytes()) + (held == null ? 0 : held.bytes());
  }

  /** Looks at what is kept of keys that will be read, or written, in a moment. */
  int fetch(long[] hashes, int count, boolean write) {
    if (write) {
      return hotWrites == null ? 0 : hotWrites.ring().fetchHashed(hashes, count);
    }
    int said = 0;
    for (int i = 0; absence != null && i < count; i++) {
      said += absence.says(hashes[i]) ? 1 : 0;
    }
    return said;
  }

  /** Returns whether somebody keeps account of which keys there are. */
  boolean knowsKeys() {
    return absence != null && absence.isOn();
  }

  /** Takes a key that is about to be put into account; returns whether it is a new one. */
  boolean adds(byte[] key, long hash, BooleanSupplier isHeld) {
    if (absence == null || !absence.isOn() || (held != null && held.contains(key, hash))) {
      return false;
    }
    if (absence.mustAskBeforePut(hash) && isHeld.getAsBoolean()) {
      return false;
    }
    absence.add(hash);
    return true;
  }

  /** Takes a new key that is about to be put into account. */
  void addNew(long hash) {
    if (absence != null && absence.isOn()) {
      absence.add(hash);
    }
  }

  /** Takes a key that is no more out of account. */
  void removed(long hash) {
    if (absence != null && absence.isOn()) {
      absence.remove(hash);
    }
  }

  /** Takes note that the engine holds a key from now on, or that it may not. */
  void settled(byte[] key, long hash, boolean holds) {
    if (held != null && holds) {
      held.add(key, hash);
    } else if (held != null) {
      held.remove(key, hash);
    }
  }

  /** Forgets what is kept of a key. */
  void wrote(byte[] key, long hash) {
    if (hotReads != null) {
      hotReads.drop(new Key(key, hash));
    }
  }

  /** Drops what is kept of a key that another writer changed, or of all keys if it is null. */
  void changedByOthers(byte @Nullable [] key) {
    if (key == null && absence != null) {
      absence.distrust();
    }
    if (key == null && hotReads != null) {
      hotReads.dropAll();
    } else if (key != null) {
      wrote(key, hash.hash(key));
    }
  }

  /** Forgets all keys, which the engine holds no more or, if it failed, may not. */
  void cleared(boolean wholly) {
    if (held != null) {
      held.clear();
    }
    if (wholly && absence != null) {
      absence.cleared();
    }
    if (hotReads != null) {
      hotReads.dropAll();
    }
  }

  /** Returns the memory of what counts uses. */
  long ringBytes() {
    return (hotReads == null ? 0 : hotReads.reads().bytes())
        + (hotWrites == null ? 0 : hotWrites.ring().bytes())
        + (router == null ? 0 : router.writes().bytes());
  }

  private static long share(long bytes, int percent) {
    return Math.max(1, bytes / 100 * percent);
  }
}
