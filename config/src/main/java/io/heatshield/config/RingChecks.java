package io.heatshield.config;

import io.heatshield.config.bind.Binder;
import io.heatshield.config.settings.StoreSettings;
import io.heatshield.config.value.DurationText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The rules about several settings of the rings of a store. */
final class RingChecks {
  private static final Duration LEAST_STEP = Duration.ofMillis(1);

  private final String path;
  private final Binder binder;

  private RingChecks(String path, Binder binder) {
    this.path = path;
    this.binder = binder;
  }

  static void check(String store, StoreSettings settings, Binder binder) {
    StoreSettings.HotRing hot = settings.hotRing();
    var ring = new RingChecks(store + ".hot_ring", binder);
    ring.checkTimes(hot.windowSlots(), hot.slot(), hot.rotation());
    ring.checkStep("decay_interval", hot.decayInterval(), null);
    StoreSettings.RoutingRing routing = settings.routing().ring();
    new RingChecks(store + ".routing.ring", binder)
        .checkTimes(routing.windowSlots(), routing.slot(), routing.rotation());
  }

  /** A generation must last at least one window, so that no count of the window is lost. */
  private void checkTimes(int slots, Duration slot, Duration rotation) {
    checkStep("slot", slot, "write 0s for no window");
    Duration window = slot.multipliedBy(slots);
    if (checkStep("rotation", rotation, "write 0s for never")
        && !rotation.isZero()
        && rotation.compareTo(window) < 0) {
      binder.fault(
          path + ".rotation",
          "must be at least the window, " + DurationText.of(window),
          "write 0s for never",
          path + ".window_slots",
          path + ".slot");
    }
  }

  private boolean checkStep(String key, Duration step, @Nullable String hint) {
    boolean sound = step.isZero() || step.compareTo(LEAST_STEP) >= 0;
    if (!sound) {
      binder.fault(path + "." + key, "must be 0s or at least 1ms", hint);
    }
    return sound;
  }
}
