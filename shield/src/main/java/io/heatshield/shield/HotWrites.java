package io.heatshield.shield;

import io.heatshield.action.Action;
import io.heatshield.action.Mode;
import io.heatshield.action.Savings;
import io.heatshield.config.settings.WriteLimitSettings;
import io.heatshield.guard.FleetHotKeys;
import io.heatshield.ring.Clamp;
import io.heatshield.ring.HotRing;
import java.util.concurrent.TimeUnit;

/** Clamps the writes of one key. Any thread may call. */
final class HotWrites {
  private static final long WINDOW_MILLIS = Shield.WINDOW.toMillis();

  private final HotRing ring;
  private final FleetHotKeys elsewhere;
  private final Action action;
  private volatile long perWindow;

  HotWrites(WriteLimitSettings settings, HotRing ring, FleetHotKeys elsewhere, Savings savings) {
    this.ring = ring;
    this.elsewhere = elsewhere;
    this.action = savings.action("clamp", Shield.SCOPE, settings.mode());
    this.perWindow = settings.perWindow();
  }

  void retune(WriteLimitSettings next) {
    perWindow = next.perWindow();
    action.mode(next.mode());
  }

  /** Counts a write; returns the milliseconds until it may come again, or 0 if it may go on. */
  long clamp(byte[] key, long hash) {
    if (action.mode() == Mode.OFF) {
      return 0;
    }
    Clamp answer = ring.clampHashed(hash, key, elsewhere.share(key, hash, perWindow));
    if (!answer.limited() || !action.apply(1, hash)) {
      return 0;
    }
    return answer.roomNanos() == Clamp.NEVER
        ? WINDOW_MILLIS
        : 1 + TimeUnit.NANOSECONDS.toMillis(Math.max(0, answer.roomNanos() - 1));
  }
}
