package io.heatshield.contest;

import io.heatshield.hash.HashSecret;
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
 * The keys that are blocked, each for its full time, in a fixed number of places.
 *
 * <p>Nothing ends a block early but {@link #lift}: not a flood of others, not a shorter block of
 * the same key. When every place is taken by a block that holds, a key is not blocked, and the
 * answer and {@link BlockStats#refused} say so.
 *
 * <p>Any thread may call any method. What concerns one key takes the lock of one of {@value
 * #STRIPES} stripes and is atomic; {@link #blocks} and sweeps take one after another. There are
 * never more blocks than places, unless a table was made smaller than what it held. A look at a key
 * allocates nothing, and takes no lock while nothing is blocked.
 */
public final class BlockTable {
  private static final int STRIPES = 16;
  private static final int STRIPE_SHIFT = Long.SIZE - 4;

  private final KeyHash hash;
  private final Ticker ticker;
  private final List<KeyIndex<Block>> stripes = new ArrayList<>();
  private final AtomicInteger taken = new AtomicInteger();
  private volatile int capacity;

  /** No block ends before this time, so that a full table need not be swept until then. */
  private final AtomicLong sweepAt;

  private final LongAdder blocked = new LongAdder();
  private final LongAdder extended = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder lifted = new LongAdder();

  /**
   * Creates a table without blocks.
   *
   * @param capacity the places, 1 to 10,000,000
   * @param secret the secret that keys are hashed with
   */
  public BlockTable(int capacity, HashSecret secret, Ticker ticker) {
    checkCapacity(capacity);
    this.capacity = capacity;
    this.ticker = ticker;
    hash = KeyHash.fast(secret);
    KeyHash second = KeyHash.sip13(secret);
    for (int i = 0; i < STRIPES; i++) {
      stripes.add(new KeyIndex<>(1, second));
    }
    sweepAt = new AtomicLong(ticker.nanos());
  }

  /** Returns how long a key stays blocked; 0 if it is not. */
  public long leftNanos(byte[] key) {
    return leftNanos(hash.hash(key), key);
  }

  /** Returns how long a key stays blocked; 0 if it is not. */
  public long leftNanos(long hash, byte[] key) {
    return leftNanos(KeyForm.BYTES, key, hash);
  }

  /** Returns how long a key stays blocked; 0 if it is not. */
  public long leftNanos(long hash, String key) {
    return leftNanos(KeyForm.TEXT, key, hash);
  }

  /** Returns a copy of the block that a key has, or null if it is not blocked. */
  public @Nullable BlockedKey find(long hash, String key) {
    if (taken.get() == 0) {
      return null;
    }
    KeyIndex<Block> stripe = stripe(hash);
    synchronized (stripe) {
      Block block = stripe.find(KeyForm.TEXT, key, hash);
      long left = block == null ? 0 : block.until - ticker.nanos();
      return block == null || left <= 0
          ? null
          : new BlockedKey(block.hash, block.stored, left, block.tag);
    }
  }

  /**
   * Changes the number of places. No block ends by that: if more hold than there are places now, no
   * key is blocked until enough of them have ended.
   *
   * @throws IllegalArgumentException if it is not 1 to 10,000,000
   */
  public void resize(int next) {
    checkCapacity(next);
    capacity = next;
  }

  /**
   * Blocks a key for a time from now, or longer if it is blocked for longer.
   *
   * @param tag a number of the owner's, say of the rule that asks; that of the longest block counts
   * @throws IllegalArgumentException if the time is not positive or above 366 days
   */
  public BlockOutcome block(long hash, byte[] key, Duration time, int tag) {
    if (time.isNegative() || time.isZero() || time.compareTo(ContestTableBuilder.MAX_SPAN) > 0) {
      throw new IllegalArgumentException(
          "time must be above 0 and at most " + ContestTableBuilder.MAX_SPAN + ": " + time);
    }
    long now = ticker.nanos();
    long until = now + time.toNanos();
    KeyIndex<Block> stripe = stripe(hash);
    synchronized (stripe) {
      Block block = stripe.find(KeyForm.BYTES, key, hash);
      if (block != null) {
        return extend(block, until, tag, now);
      }
    }
    // The place first, so that there are never more blocks than places; under no lock, since it may
    // sweep.
    if (!claim(now)) {
      refused.increment();
      return BlockOutcome.FULL;
    }
    synchronized (stripe) {
      Block other = stripe.find(KeyForm.BYTES, key, hash);
      if (other != null) {
        taken.getAndDecrement();
        return extend(other, until, tag, now);
      }
      stripe.put(new Block(hash, stripe.store(KeyForm.BYTES, key), until, tag));
    }
    sweepBy(until);
    blocked.increment();
    return BlockOutcome.BLOCKED;
  }

  /** Ends the block of a key, and returns whether it had one that held. */
  public boolean lift(byte[] key) {
    return lift(hash.hash(key), key);
  }

  /** Ends the block of a key, and returns whether it had one that held. */
  public boolean lift(long hash, byte[] key) {
    KeyIndex<Block> stripe = stripe(hash);
    synchronized (stripe) {
      Block block = stripe.find(KeyForm.BYTES, key, hash);
      if (block == null) {
        return false;
      }
      stripe.remove(block);
      taken.getAndDecrement();
      if (block.until - ticker.nanos() <= 0) {
        return false;
      }
    }
    lifted.increment();
    return true;
  }

  /** Returns copies of all blocks that hold, the longest first. */
  public List<BlockedKey> blocks() {
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

  /** Returns a copy of all blocks that hold, to be stored. */
  public BlockSnapshot snapshot() {
    return new BlockSnapshot(hash.fingerprint(), blocks());
  }

  /**
   * Blocks the keys of a stored snapshot for the rest of their times, the longest first; returns
   * how many found no place. Nothing is changed if the snapshot is refused.
   *
   * @param epochMillis the present wall time
   * @throws io.heatshield.snapshot.InvalidSnapshotException if it is not whole, not unchanged, not
   *     possible, from the future, or made under another secret
   */
  public int load(InputStream in, long epochMillis) throws IOException {
    int left = 0;
    long now = ticker.nanos();
    for (BlockedKey key : BlockSnapshot.read(in, epochMillis, hash)) {
      if (!claim(now)) {
        left++;
        continue;
      }
      KeyIndex<Block> stripe = stripe(key.hash());
      synchronized (stripe) {
        Block held = stripe.findStored(key.stored(), key.hash());
        if (held == null) {
          stripe.put(new Block(key.hash(), key.stored(), now + key.leftNanos(), key.tag()));
        } else {
          taken.getAndDecrement();
          var unused = extend(held, now + key.leftNanos(), key.tag(), now);
        }
      }
      sweepBy(now + key.leftNanos());
    }
    return left;
  }

  /** Returns what the table holds and did. */
  public BlockStats stats() {
    return new BlockStats(
        taken.get(), capacity, blocked.sum(), extended.sum(), refused.sum(), lifted.sum());
  }

  private static void checkCapacity(int capacity) {
    if (capacity < 1 || capacity > ContestTableBuilder.MAX_SLOTS) {
      throw new IllegalArgumentException(
          "capacity must be 1 to " + ContestTableBuilder.MAX_SLOTS + ": " + capacity);
    }
  }

  private <K> long leftNanos(KeyForm<K> form, K key, long hash) {
    if (taken.get() == 0) {
      return 0;
    }
    KeyIndex<Block> stripe = stripe(hash);
    synchronized (stripe) {
      Block block = stripe.find(form, key, hash);
      return block == null ? 0 : Math.max(0, block.until - ticker.nanos());
    }
  }

  private BlockOutcome extend(Block block, long until, int tag, long now) {
    if (until - block.until <= 0) {
      return BlockOutcome.KEPT;
    }
    boolean held = block.until - now > 0;
    block.until = until;
    block.tag = tag;
    (held ? extended : blocked).increment();
    return held ? BlockOutcome.EXTENDED : BlockOutcome.BLOCKED;
  }

  private boolean claim(long now) {
    if (claimFree()) {
      return true;
    }
    if (now - sweepAt.get() < 0) {
      return false;
    }
    sweep(now);
    return claimFree();
  }

  private boolean claimFree() {
    for (int now = taken.get(); now < capacity; now = taken.get()) {
      if (taken.compareAndSet(now, now + 1)) {
        return true;
      }
    }
    return false;
  }

  /** Gives back the places of blocks that have ended, and notes when the next one will. */
  private void sweep(long now) {
    // Set before the pass, so that a block that comes in behind it can bring it forward again.
    sweepAt.set(now + ContestTableBuilder.MAX_SPAN.toNanos());
    for (KeyIndex<Block> stripe : stripes) {
      var ended = new ArrayList<Block>();
      long next = now + ContestTableBuilder.MAX_SPAN.toNanos();
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
      taken.getAndAdd(-ended.size());
      sweepBy(next);
    }
  }

  private void sweepBy(long time) {
    var unused = sweepAt.updateAndGet(at -> time - at < 0 ? time : at);
  }

  private KeyIndex<Block> stripe(long hash) {
    return stripes.get((int) (hash >>> STRIPE_SHIFT));
  }

  /** A key that is blocked; guarded by the lock of its stripe. */
  static final class Block extends KeyIndex.Keyed {
    long until;
    int tag;

    Block(long hash, byte[] stored, long until, int tag) {
      super(hash, stored);
      this.until = until;
      this.tag = tag;
    }
  }
}
