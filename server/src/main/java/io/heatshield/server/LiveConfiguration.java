package io.heatshield.server;

import io.heatshield.config.Change;
import io.heatshield.config.ConfigWatcher;
import io.heatshield.config.Configuration;
import io.heatshield.config.LoadResult;
import io.heatshield.runtime.metrics.Metrics;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The configuration in effect, changed by a saved file or by a call, for all parts or for none.
 *
 * <p>Any thread may read it; changes are made one after the other.
 */
final class LiveConfiguration implements ConfigWatcher.Listener {
  private static final Logger log = LoggerFactory.getLogger(LiveConfiguration.class);

  private final AtomicLong reloads = new AtomicLong();
  private final AtomicLong refusedReloads = new AtomicLong();
  private final List<Consumer<Configuration>> parts = new CopyOnWriteArrayList<>();
  private volatile Configuration current;
  private volatile Configuration saved;

  LiveConfiguration(Configuration first, Metrics metrics) {
    current = first;
    saved = first;
    metrics.counter("config.reloads", "Saved configurations that were taken over", reloads::get);
    metrics.counter(
        "config.reloads.refused",
        "Saved configurations that were refused for a fault",
        refusedReloads::get);
  }

  Configuration current() {
    return current;
  }

  /** Returns the configuration without live changes, as the file has it. */
  Configuration saved() {
    return saved;
  }

  /** Lets a part take over every configuration from now on, after those that asked earlier. */
  void onChange(Consumer<Configuration> part) {
    parts.add(part);
  }

  /** Changes live settings: all of them, or none with every reason why. */
  synchronized LoadResult patch(Map<String, String> values) {
    Configuration before = current;
    LoadResult result = before.with(values);
    if (result instanceof LoadResult.Valid valid) {
      take(valid.configuration());
      List<Change> changes = valid.configuration().changesFrom(before);
      log.info("settings changed live: {}", changes);
    }
    return result;
  }

  @Override
  public void changed(LoadResult.Valid result, List<Change> changes) {
    reloads.incrementAndGet();
    saved = result.configuration();
    take(result.configuration());
    log.info("configuration reloaded, {} settings changed", changes.size());
    changes.forEach(change -> log.info("  {}", change));
    result.warnings().forEach(warning -> log.warn("{}", warning));
  }

  @Override
  public void refused(LoadResult.Invalid result) {
    refusedReloads.incrementAndGet();
    log.error("configuration not reloaded, the old one stays in effect:");
    result.faults().forEach(fault -> log.error("  {}", fault));
  }

  private synchronized void take(Configuration next) {
    current = next;
    for (Consumer<Configuration> part : parts) {
      try {
        part.accept(next);
      } catch (RuntimeException e) {
        log.error("a part of the server did not take over the new configuration", e);
      }
    }
  }
}
