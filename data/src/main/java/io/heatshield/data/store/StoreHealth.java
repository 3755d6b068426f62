package io.heatshield.data.store;

import io.heatshield.config.settings.StoreSettings;
import io.heatshield.runtime.health.Health;
import io.heatshield.store.GuardedStore;
import io.heatshield.store.engine.EngineFaults;
import java.util.LinkedHashMap;
import java.util.Map;

/** Makes the server not ready while the disk of a store refuses writes, and reports damage. */
public final class StoreHealth {
  private final Map<GuardedStore, Health.Check> checks = new LinkedHashMap<>();

  /** Creates the checks of all stores on disk, in addition to those of {@link StoreWatchdog}. */
  public StoreHealth(ServerStores stores, Health health) {
    stores
        .all()
        .forEach(
            (name, store) -> {
              boolean onDisk =
                  stores
                      .settings(name)
                      .filter(settings -> settings.engine() == StoreSettings.Engine.ROCKSDB)
                      .isPresent();
              if (onDisk) {
                checks.put(store, health.expect("disk of store " + name));
              }
            });
    poll();
  }

  /** Reports the state of every store. */
  public void poll() {
    checks.forEach((store, check) -> report(store.faults(), check));
  }

  static void report(EngineFaults faults, Health.Check check) {
    if (!faults.isWritable()) {
      check.fail("writes are refused: " + faults.write());
    } else if (faults.damage().isEmpty()) {
      check.pass();
    } else {
      check.warn(faults.damage());
    }
  }
}
