package io.heatshield.store;

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
    engine.hashBy(parts.hash());
  }

  /** Returns what a key holds and has not ended, or null. */
  @Nullable Value find(byte[] key, long hash) {
    Absence absence = guards.absence;
    boolean saidAbsent = absence != null && absence.says(hash);
    if (absence != null && saidAbsent && absence.answers(hash)) {
      return null;
    }
    long mark = saidAbsent ? stamps.mark(hash) : 0;
    boolean stillSaid = absence != null && saidAbsent && absence.says(hash);
    parts.tally().engineCalls.add(1);
    Value held = held(key, hash);
    if (absence != null) {
      absence.compare(hash, stillSaid, held, stillSaid && stamps.mark(hash) == mark);
    }
    boolean ended = held != null && held.expires() && held.isExpired(parts.clock().getAsLong());
    return ended ? null : held;
  }

  /** Looks at what reads, or writes, of these keys will need; returns how many seem to be there. */
  int fetch(byte[][] keys, long[] hashes, int count, boolean write) {
    int looked = guards.fetch(hashes, count, write);
    if (looked < 0) {
      return 0;
    }
    CallWatch.Slot slot = parts.watch().enter();
    try {
      return engine.fetch(keys, hashes, count);
    } finally {
      slot.leave();
    }
  }

  /** Returns whether writes may go this way now; not while they are looked at for grouping. */
  boolean takesPuts() {
    return !guards.groups();
  }

  /**
   * Sets what a key holds to plain bytes without an end; returns 0, or the milliseconds until it
   * may come again.
   */
  long put(byte[] key, long hash, byte[] bytes) {
    long wait = guards.clamp(key, hash);
    if (wait > 0) {
      return wait;
    }
    LockedStripes.Stripe stripe = stripes.of(hash);
    CallWatch.Slot slot = parts.watch().enter();
    stripe.lock.lock();
    try {
      stripe.count();
      try {
        engine.put(key, hash, bytes, adding);
      } finally {
        guards.wrote(key, hash);
        stamps.changed(hash);
      }
    } finally {
      stripe.lock.unlock();
      slot.leave();
    }
    return 0;
  }

  private @Nullable Value held(byte[] key, long hash) {
    CallWatch.Slot slot = parts.watch().enter();
    try {
      return engine.find(key, hash);
    } finally {
      slot.leave();
    }
  }

  /** Returns how many puts have come this way; those of the same moment may be missing. */
  long puts() {
    return stripes.counted();
  }
}
