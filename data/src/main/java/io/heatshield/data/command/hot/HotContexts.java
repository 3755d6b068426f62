package io.heatshield.data.command.hot;

import io.heatshield.action.KeyEffects;
import io.heatshield.data.command.Command;
import io.heatshield.detect.HashedHotKeyDetector;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.detect.Verdict;
import io.heatshield.hash.KeyHash;
import io.heatshield.time.Ticker;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The statistics of one store's hot keys, at most {@value #SLOTS} of them.
 *
 * <p>A key has {@value #PROBES} possible slots. When all are taken, the least recently used one is
 * replaced if it was unused for a minute; until then the new key has no statistics. Any thread may
 * call. Two threads that compete for one slot may lose a few uses.
 */
public final class HotContexts implements KeyEffects {
  static final int SLOTS = 128;
  static final int PROBES = 8;
  private static final long STALE_NANOS = Duration.ofMinutes(1).toNanos();

  private final AtomicReferenceArray<@Nullable HotContext> slots =
      new AtomicReferenceArray<>(SLOTS);
  private final HashedHotKeyDetector detector;
  private final KeyHash hash;
  private final Clock clock;
  private final Ticker ticker;

  /**
   * Creates statistics without keys.
   *
   * @param detector counts the store's keys; all hashes must be of its hash function
   */
  public HotContexts(HotKeyDetector detector, Clock clock, Ticker ticker) {
    this.hash = detector.keyHash();
    this.detector = detector.hashed(hash);
    this.clock = clock;
    this.ticker = ticker;
  }

  /** Counts a use of a key; returns the statistics of the key if it is hot, or null. */
  public @Nullable HotContext touch(
      Caller caller, Command command, long hashed, byte[] key, long size) {
    return touch(caller, command, hashed, key, size, 1);
  }

  /**
   * Counts uses of a key; returns the statistics of the key if it is hot, or null. The statistics
   * get one of the uses; the others must be added with {@link HotContext#use}.
   */
  public @Nullable HotContext touch(
      Caller caller, Command command, long hashed, byte[] key, long size, int uses) {
    assert hash.hash(key) == hashed : "hash must be of the hash function of the detector";
    Verdict verdict = detector.touch(hashed, key, uses);
    long now = ticker.nanos();
    caller.keys().use(hashed, now);
    if (!verdict.isHot()) {
      return null;
    }
    HotContext context = findOrInsert(hashed, now);
    if (context != null) {
      context.seen(now);
      context.use(caller, command, size, verdict.rate());
    }
    return context;
  }

  @Override
  public void applied(String action, long hashed, boolean enforced) {
    HotContext context = context(hashed);
    if (context != null) {
      context.applied(action, enforced);
    }
  }

  public HotKeyDetector detector() {
    return detector.detector();
  }

  /** Returns the hash function of the keys. */
  public KeyHash hash() {
    return hash;
  }

  /** Returns the statistics of a key, if it has any. */
  public Optional<HotContext> find(byte[] key) {
    return find(hash.hash(key));
  }

  /** Returns the statistics of the key with a hash, if it has any. */
  public Optional<HotContext> find(long hashed) {
    return Optional.ofNullable(context(hashed));
  }

  private @Nullable HotContext context(long hashed) {
    for (int i = 0; i < PROBES; i++) {
      HotContext context = slots.get(slot(hashed, i));
      if (context != null && context.hash() == hashed) {
        return context;
      }
    }
    return null;
  }

  private @Nullable HotContext findOrInsert(long hashed, long now) {
    int oldest = slot(hashed, 0);
    long oldestNanos = Long.MAX_VALUE;
    for (int i = 0; i < PROBES; i++) {
      int slot = slot(hashed, i);
      HotContext context = slots.get(slot);
      if (context == null) {
        return insert(slot, null, hashed, now);
      }
      if (context.hash() == hashed) {
        return context;
      }
      if (context.lastNanos() < oldestNanos) {
        oldestNanos = context.lastNanos();
        oldest = slot;
      }
    }
    HotContext old = slots.get(oldest);
    boolean stale = old != null && now - old.lastNanos() > STALE_NANOS;
    return stale ? insert(oldest, old, hashed, now) : null;
  }

  private @Nullable HotContext insert(int slot, @Nullable HotContext old, long hashed, long now) {
    var made = new HotContext(hashed, clock.millis(), now);
    return slots.compareAndSet(slot, old, made) ? made : null;
  }

  private static int slot(long hashed, int probe) {
    return ((int) hashed + probe) & (SLOTS - 1);
  }
}
