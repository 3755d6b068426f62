package io.heatshield.server;

import io.heatshield.config.Change;
import io.heatshield.config.ConfigWatcher;
import io.heatshield.config.Configuration;
import io.heatshield.config.LoadResult;
import io.heatshield.config.settings.Settings;
import io.heatshield.runtime.metrics.Metrics;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The effective configuration, which changes when its file is saved or by {@link #patch}.
 * Thread-safe; changes are serialized.
 */
final class LiveConfiguration implements ConfigWatcher.Listener {
  private static final Logger log = LoggerFactory.getLogger(LiveConfiguration.class);

  private final AtomicLong reloads = new AtomicLong();
  private final AtomicLong refusedReloads = new AtomicLong();
  private final List<Consumer<Settings>> listeners = new CopyOnWriteArrayList<>();
  private final Function<LoadResult.Valid, LoadResult> check;
  private volatile Configuration current;
  private volatile Configuration saved;

  /**
   * Creates a live configuration.
   *
   * @param check checks a change before it is made
   */
  LiveConfiguration(
      Configuration first, Function<LoadResult.Valid, LoadResult> check, Metrics metrics) {
    this.check = check;
    current = first;
    saved = first;
    metrics.counter("config.reloads", "Reloads of the configuration file", reloads::get);
    metrics.counter(
        "config.reloads.refused",
        "Reloads refused because the configuration file is invalid",
        refusedReloads::get);
  }

  Configuration current() {
    return current;
  }

  /** Returns the configuration of the file, without live changes. */
  Configuration saved() {
    return saved;
  }

  /** Adds a listener, which is called after those that were added earlier. */
  void onChange(Consumer<Settings> listener) {
    listeners.add(listener);
  }

  /** Changes live settings: all of them, or none if there is a fault. */
  synchronized LoadResult patch(Map<String, String> values) {
    Configuration before = current;
    LoadResult changed = before.with(values);
    LoadResult result = changed instanceof LoadResult.Valid next ? check.apply(next) : changed;
    if (result instanceof LoadResult.Valid valid) {
      apply(valid.configuration());
      List<Change> changes = valid.configuration().changesFrom(before);
      log.info("settings changed live: {}", changes);
    }
    return result;
  }

  @Override
  public void changed(LoadResult.Valid result, List<Change> changes) {
    reloads.incrementAndGet();
    saved = result.configuration();
    apply(result.configuration());
    log.info("configuration reloaded, {} settings changed", changes.size());
    changes.forEach(change -> log.info("  {}", change));
    result.warnings().forEach(warning -> log.warn("{}", warning));
  }

  @Override
  public void refused(LoadResult.Invalid result) {
    refusedReloads.incrementAndGet();
    log.error("configuration not reloaded, the previous one stays in effect:");
    result.faults().forEach(fault -> log.error("  {}", fault));
  }

  private synchronized void apply(Configuration next) {
    current = next;
    for (Consumer<Settings> listener : listeners) {
      try {
        listener.accept(next.settings());
      } catch (RuntimeException e) {
        log.error("failed to apply the new configuration to a component", e);
      }
    }
  }
}
