package io.heatshield.data.store;

import io.heatshield.runtime.health.Health;
import io.heatshield.store.GuardedStore;
import io.heatshield.store.stats.RunningCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the server not ready while a call to the engine of a store has been running for {@value
 * #SECONDS} seconds, and logs when that begins, with the stack of the thread, and when it ends.
 *
 * <p>{@link #look} is to be called about twice a second, by one thread at a time. It asks no
 * engine.
 */
public final class StoreWatchdog {
  static final int SECONDS = 5;

  private static final Logger log = LoggerFactory.getLogger(StoreWatchdog.class);
  private static final Duration MOST = Duration.ofSeconds(SECONDS);

  private final List<Watched> stores = new ArrayList<>();

  /** Creates a watchdog of stores, each a condition of its own of the server's readiness. */
  public StoreWatchdog(Map<String, GuardedStore> stores, Health health) {
    stores.forEach(
        (name, store) -> {
          Health.Check check = health.expect("store " + name);
          check.pass();
          this.stores.add(new Watched(name, store, check));
        });
  }

  /** Looks at every store once. */
  public void look() {
    stores.forEach(Watched::look);
  }

  /** One store. */
  private static final class Watched {
    private final String name;
    private final GuardedStore store;
    private final Health.Check check;
    private Duration stuckFor = Duration.ZERO;

    Watched(String name, GuardedStore store, Health.Check check) {
      this.name = name;
      this.store = store;
      this.check = check;
    }

    void look() {
      RunningCall longest = store.longestCall().orElse(null);
      boolean wasStuck = !stuckFor.isZero();
      if (longest != null && longest.running().compareTo(MOST) >= 0) {
        stuckFor = longest.running();
        check.fail("a call to its engine has been running for " + stuckFor.toSeconds() + " s");
        if (!wasStuck) {
          warn(longest.thread());
        }
      } else if (wasStuck) {
        check.pass();
        log.info(
            "store {}: the call to its engine ended after {} s, the store is ready again",
            name,
            stuckFor.toSeconds());
        stuckFor = Duration.ZERO;
      }
    }

    private void warn(@Nullable Thread thread) {
      if (thread == null) {
        log.warn(
            "store {} is not ready: its engine has not answered a call for {} s",
            name,
            stuckFor.toSeconds());
      } else {
        var where = new StuckCallException(thread);
        log.warn(
            "store {} is not ready: a call to its engine has been running for {} s in thread {}",
            name,
            stuckFor.toSeconds(),
            thread.getName(),
            where);
      }
    }
  }

  /** The stack of a thread, for the log. */
  private static final class StuckCallException extends Exception {
    private static final long serialVersionUID = 1;

    StuckCallException(Thread thread) {
      super("stack of thread " + thread.getName(), null, false, true);
      setStackTrace(thread.getStackTrace());
    }
  }
}
