package io.heatshield.contest;

import io.heatshield.hash.KeyHash;
import io.heatshield.key.KeyForm;
import io.heatshield.time.Ticker;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A table of blocked keys, each with the time at which its block ends, in a fixed number of slots.
 *
 * <p>Only {@link #lift} ends a block early: neither a flood of other keys nor a shorter block of
 * the same key does. If every slot is used by an active block, a further key is not blocked; this
 * is returned and counted in {@link BlockStats#refused}.
 *
 * <p>Any thread may call any method. A method for one key takes the lock of one of {@value
 * #STRIPES} stripes and is atomic. {@link #blocks} and sweeps lock one stripe after the other.
 * There are never more blocks than slots, except after {@link #resize} to fewer slots than blocks.
 * A lookup allocates nothing, and takes no lock while the table is empty.
 */
final class BlockTable {
  /*
   * size       atomic; incremented by CAS before a block is added, so that threads of different
   *            stripes never add more blocks than there are slots. Read without a lock by lookups
   *            of an empty table. Pinned by BlockTableTest and BlockTableThreadsTest.
   * capacity   volatile; written by resize without a lock
   * sweepAt    atomic; no block ends before this time, so a full table need not be swept until then
   *
   * The blocks of a stripe are read and written under the monitor of its index. A block that has
   * ended keeps its slot until a full table is swept or the key is lifted.
   */
  private static final int STRIPES = 16;
  private static final int STRIPE_SHIFT = Long.SIZE - 4;

  /** The block, at most four cells of the index, and the header of the key's array. */
  private static final int BLOCK_BYTES = 40 + 4 * 4 + 16;

  private final KeyHash hash;
  private final Ticker ticker;
  private final List<KeyIndex<Block>> stripes = new ArrayList<>();
  private final AtomicInteger size = new AtomicInteger();
  private volatile int capacity;
  private final AtomicLong sweepAt;

  private final LongAdder blocked = new LongAdder();
  private final LongAdder extended = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder lifted = new LongAdder();

  /**
   * Creates an empty table.
   *
   * @param capacity the number of slots
   * @param hash the hash of keys
   * @param longKeyHash the second hash, by which long keys are stored
   */
  BlockTable(int capacity, KeyHash hash, KeyHash longKeyHash, Ticker ticker) {
    this.capacity = capacity;
    this.hash = hash;
    this.ticker = ticker;
    for (int i = 0; i < STRIPES; i++) {
      stripes.add(new KeyIndex<>(1, longKeyHash));
    }
    sweepAt = new AtomicLong(ticker.nanos());
  }

  /**
   * Returns the most bytes of a block of a key of this length, by the object layout of a 64-bit JVM
   * with compressed references.
   */
  static long slotBytes(int keyLength) {
    int stored = keyLength <= KeyForm.MAX_BYTES ? keyLength : KeyForm.FOLDED_BYTES;
    return BLOCK_BYTES + (stored + 7) / 8 * 8L;
  }

  /** Returns a copy of a key's block, or null if the key is not blocked. */
  <K> @Nullable BlockedKey find(KeyForm<K> form, K key, long hash) {
    if (size.get() == 0) {
      return null;
    }
    KeyIndex<Block> stripe = stripe(hash);
    synchronized (stripe) {
      Block block = stripe.find(form, key, hash);
      long left = block == null ? 0 : block.until - ticker.nanos();
      return block == null || left <= 0
          ? null
          : new BlockedKey(block.hash, block.stored, left, block.tag);
    }
  }

  /**
   * Changes the number of slots. This ends no block: if there are more active blocks than slots, no
   * further key is blocked until enough blocks have ended.
   */
  void resize(int capacity) {
    this.capacity = capacity;
  }

  /**
   * Blocks a key for a time from now; a block that ends later is kept.
   *
   * @param tag a number of the caller's choice, for example that of a rule; the block that ends
   *     last keeps its tag
   * @throws IllegalArgumentException if the time is not positive, or is above 366 days
   */
  <K> BlockOutcome block(KeyForm<K> form, K key, long hash, Duration time, int tag) {
    checkTime(time);
    long now = ticker.nanos();
    long until = now + time.toNanos();
    KeyIndex<Block> stripe = stripe(hash);
    synchronized (stripe) {
      Block block = stripe.find(form, key, hash);
      if (block != null) {
        return extend(block, until, tag, now);
      }
    }
    // Without the lock of the stripe, because reserving a slot may sweep all stripes.
    if (!reserveSlot(now)) {
      refused.increment();
      return BlockOutcome.FULL;
    }
    synchronized (stripe) {
      Block concurrent = stripe.find(form, key, hash);
      if (concurrent != null) {
        size.getAndDecrement();
        return extend(concurrent, until, tag, now);
      }
      stripe.add(new Block(hash, stripe.store(form, key), until, tag));
    }
    sweepNoLaterThan(until);
    blocked.increment();
    return BlockOutcome.BLOCKED;
  }

  /** Ends the block of a key; returns whether the key was blocked. */
  <K> boolean lift(KeyForm<K> form, K key, long hash) {
    KeyIndex<Block> stripe = stripe(hash);
    synchronized (stripe) {
      Block block = stripe.find(form, key, hash);
      if (block == null) {
        return false;
      }
      stripe.remove(block);
      size.getAndDecrement();
      if (block.until - ticker.nanos() <= 0) {
        return false;
      }
    }
    lifted.increment();
    return true;
  }

  /** Returns copies of all active blocks, the longest first. */
  List<BlockedKey> blocks() {
    var copies = new ArrayList<BlockedKey>();
    for (KeyIndex<Block> stripe : stripes) {
      synchronized (stripe) {
        long now = ticker.nanos();
        for (int i = 0; i < stripe.cells(); i++) {
          Block block = stripe.at(i);
          if (block != null && block.until - now > 0) {
            copies.add(new BlockedKey(block.hash, block.stored, block.until - now, block.tag));
          }
        }
      }
    }
    copies.sort(BlockedKey::longestFirst);
    return copies;
  }

  /** Returns a copy of all active blocks, for storage. */
  BlockSnapshot snapshot() {
    return new BlockSnapshot(hash.fingerprint(), blocks());
  }

  /**
   * Blocks the keys of a stored snapshot for the time that is left, the longest first. Returns the
   * number of keys that got no slot. If the snapshot is rejected, nothing is changed.
   *
   * @param epochMillis the current wall time
   * @throws io.heatshield.snapshot.InvalidSnapshotException if the snapshot is truncated, changed,
   *     invalid, from the future, or made under another secret
   */
  int load(InputStream in, long epochMillis) throws IOException {
    int notLoaded = 0;
    long now = ticker.nanos();
    for (BlockedKey key : BlockSnapshot.read(in, epochMillis, hash)) {
      if (!reserveSlot(now)) {
        notLoaded++;
        continue;
      }
      KeyIndex<Block> stripe = stripe(key.hash());
      synchronized (stripe) {
        Block existing = stripe.findStored(key.stored(), key.hash());
        if (existing == null) {
          stripe.add(new Block(key.hash(), key.stored(), now + key.leftNanos(), key.tag()));
        } else {
          size.getAndDecrement();
          var unused = extend(existing, now + key.leftNanos(), key.tag(), now);
        }
      }
      sweepNoLaterThan(now + key.leftNanos());
    }
    return notLoaded;
  }

  /** Returns statistics about the table. */
  BlockStats stats() {
    return new BlockStats(
        size.get(), capacity, blocked.sum(), extended.sum(), refused.sum(), lifted.sum());
  }

  static void checkTime(Duration time) {
    if (time.isNegative() || time.isZero() || time.compareTo(HeavyHittersBuilder.MAX_SPAN) > 0) {
      throw new IllegalArgumentException(
          "time must be above 0 and at most " + HeavyHittersBuilder.MAX_SPAN + ": " + time);
    }
  }

  /** Extends a block, or renews one that has ended. The caller holds the stripe's lock. */
  private BlockOutcome extend(Block block, long until, int tag, long now) {
    if (until - block.until <= 0) {
      return BlockOutcome.KEPT;
    }
    boolean active = block.until - now > 0;
    block.until = until;
    block.tag = tag;
    (active ? extended : blocked).increment();
    return active ? BlockOutcome.EXTENDED : BlockOutcome.BLOCKED;
  }

  /** Reserves a slot, after a sweep if none is free; returns false if no block has ended. */
  private boolean reserveSlot(long now) {
    if (tryReserveSlot()) {
      return true;
    }
    if (now - sweepAt.get() < 0) {
      return false;
    }
    sweep(now);
    return tryReserveSlot();
  }

  private boolean tryReserveSlot() {
    for (int used = size.get(); used < capacity; used = size.get()) {
      if (size.compareAndSet(used, used + 1)) {
        return true;
      }
    }
    return false;
  }

  /** Removes the blocks that have ended, and finds the time when the next one ends. */
  private void sweep(long now) {
    // Set before the sweep, so that a block that is added meanwhile can set an earlier time.
    sweepAt.set(now + HeavyHittersBuilder.MAX_SPAN.toNanos());
    for (KeyIndex<Block> stripe : stripes) {
      var ended = new ArrayList<Block>();
      long next = now + HeavyHittersBuilder.MAX_SPAN.toNanos();
      synchronized (stripe) {
        for (int i = 0; i < stripe.cells(); i++) {
          Block block = stripe.at(i);
          if (block != null && block.until - now <= 0) {
            ended.add(block);
          } else if (block != null && block.until - next < 0) {
            next = block.until;
          }
        }
        ended.forEach(stripe::remove);
      }
      size.getAndAdd(-ended.size());
      sweepNoLaterThan(next);
    }
  }

  private void sweepNoLaterThan(long time) {
    var unused = sweepAt.updateAndGet(at -> time - at < 0 ? time : at);
  }

  private KeyIndex<Block> stripe(long hash) {
    return stripes.get((int) (hash >>> STRIPE_SHIFT));
  }

  /** A block; its fields are guarded by the lock of its stripe. */
  static final class Block extends KeyIndex.Entry {
    long until;
    int tag;

    Block(long hash, byte[] stored, long until, int tag) {
      super(hash, stored);
      this.until = until;
      this.tag = tag;
    }
  }
}
