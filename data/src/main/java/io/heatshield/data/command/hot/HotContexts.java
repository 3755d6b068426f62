package io.heatshield.data.command.hot;

import io.heatshield.action.KeyEffects;
import io.heatshield.data.command.Command;
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
 * The contexts of one store's hot keys, at most {@value #SLOTS}.
 *
 * <p>A key has {@value #PROBES} places. When they are taken, the one that was not used for the
 * longest time is given up if that was a minute; until then the newcomer has none. Any thread may
 * call; two that meet at one place may lose a use or two.
 */
public final class HotContexts implements KeyEffects {
  static final int SLOTS = 128;
  static final int PROBES = 8;
  private static final long STALE_NANOS = Duration.ofMinutes(1).toNanos();

  private final AtomicReferenceArray<@Nullable HotContext> slots =
      new AtomicReferenceArray<>(SLOTS);
  private final HotKeyDetector detector;
  private final KeyHash hash;
  private final int commands;
  private final Clock clock;
  private final Ticker ticker;

  /**
   * Creates a place for contexts.
   *
   * @param detector counts the store's keys; every hash given here must be by its function
   * @param commands the size of the command table
   */
  public HotContexts(HotKeyDetector detector, int commands, Clock clock, Ticker ticker) {
    this.detector = detector;
    this.hash = detector.keyHash();
    this.commands = commands;
    this.clock = clock;
    this.ticker = ticker;
  }

  /** Counts the use of a key, and puts it down if the key is hot; returns its context then. */
  public @Nullable HotContext touch(
      Caller caller, Command command, long hashed, byte[] key, long size) {
    return touch(caller, command, hashed, key, size, 1);
  }

  /**
   * Counts uses of a key, and puts one of them down if the key is hot; returns its context then, in
   * which the caller puts down the others.
   */
  public @Nullable HotContext touch(
      Caller caller, Command command, long hashed, byte[] key, long size, int uses) {
    assert hash.hash(key) == hashed : "hash must be by the function of the detector";
    Verdict verdict = detector.touch(hashed, key, uses);
    long now = ticker.nanos();
    caller.spread().use(hashed, now);
    if (!verdict.isHot()) {
      return null;
    }
    HotContext context = place(hashed, now);
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

  /** Returns what counts the keys. */
  public HotKeyDetector detector() {
    return detector;
  }

  /** Returns the function that the keys are counted by. */
  public KeyHash hash() {
    return hash;
  }

  /** Returns the context of a key, if it has one. */
  public Optional<HotContext> find(byte[] key) {
    return find(hash.hash(key));
  }

  /** Returns the context of the key with this hash, if it has one. */
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

  private @Nullable HotContext place(long hashed, long now) {
    int oldest = slot(hashed, 0);
    long oldestNanos = Long.MAX_VALUE;
    for (int i = 0; i < PROBES; i++) {
      int slot = slot(hashed, i);
      HotContext context = slots.get(slot);
      if (context == null) {
        return enter(slot, null, hashed, now);
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
    return stale ? enter(oldest, old, hashed, now) : null;
  }

  private @Nullable HotContext enter(int slot, @Nullable HotContext old, long hashed, long now) {
    var made = new HotContext(hashed, commands, clock.millis(), now);
    return slots.compareAndSet(slot, old, made) ? made : null;
  }

  private static int slot(long hashed, int probe) {
    return ((int) hashed + probe) & (SLOTS - 1);
  }
}
