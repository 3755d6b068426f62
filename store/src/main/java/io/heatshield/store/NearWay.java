package io.heatshield.store;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The short way of single reads and plain writes to an engine that has its data at hand: the same
 * steps as {@link Reads} and {@link Writes}, on the calling thread and without stages.
 */
final class NearWay {
  private final NearEngine engine;
  private final LockedStripes stripes;
  private final Stamps stamps;
  private final Parts parts;
  private final Guards guards;
  private final LongConsumer adding;

  NearWay(NearEngine engine, LockedStripes stripes, Stamps stamps, Parts parts, Guards guards) {
    this.engine = engine;
    this.stripes = stripes;
    this.stamps = stamps;
    this.parts = parts;
    this.guards = guards;
    this.adding = guards::addNew;
  }

  /** Returns what a key holds and has not ended, or null. */
  @Nullable Value find(byte[] key, long hash) {
    Absence absence = guards.absence;
    boolean saidAbsent = absence != null && absence.says(hash);
    if (absence != null && saidAbsent && absence.answers()) {
      return null;
    }
    long mark = saidAbsent ? stamps.of(hash, null) : 0;
    parts.tally().engineCalls.increment();
    Value held = engine.find(key);
    if (absence != null) {
      absence.compare(saidAbsent, held, saidAbsent && stamps.of(hash, null) == mark);
    }
    boolean ended = held != null && held.expires() && held.isExpired(parts.clock().getAsLong());
    return ended ? null : held;
  }

  /** Looks at what reads, or writes, of these keys will need; returns how many seem to be there. */
  int fetch(byte[][] keys, int count, boolean write) {
    var hashes = new long[count];
    for (int i = 0; i < count; i++) {
      hashes[i] = parts.hash().hash(keys[i]);
    }
    int looked = guards.fetch(hashes, count, write);
    return looked < 0 ? 0 : engine.fetch(keys, count);
  }

  /** Returns whether writes may go this way now; not while they are looked at for grouping. */
  boolean takesPuts() {
    return !guards.groups();
  }

  /**
   * Sets what a key holds, a value without an end; returns 0, or the milliseconds until it may come
   * again.
   */
  long put(byte[] key, long hash, Value value) {
    long wait = guards.clamp(key, hash);
    if (wait > 0) {
      return wait;
    }
    ReentrantLock lock = stripes.lockOf(hash);
    lock.lock();
    try {
      parts.tally().engineCalls.increment();
      try {
        engine.put(key, value, adding, hash);
      } finally {
        guards.wrote(key, hash);
        stamps.changed(hash);
      }
    } finally {
      lock.unlock();
    }
    return 0;
  }
}
