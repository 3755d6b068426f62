package io.heatshield.config;

import io.heatshield.config.yaml.Source;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches a configuration file and reports each new state, completely or not at all.
 *
 * <p>A new state counts once two consecutive polls read the same content, so that a file that is
 * still being written is not loaded. Each state is reported once. The next save of the file
 * replaces live changes, and the diff shows it.
 *
 * <p>Any thread may poll; polls run one after the other.
 */
public final class ConfigWatcher {
  /*
   * The whole content is compared, not its time stamp: the file is small, two saves may have the
   * same time stamp, and the content also detects an atomic rename and a changed link on the path.
   * The content of the polls is loaded; the file is not read a third time.
   */
  private static final Logger LOG = LoggerFactory.getLogger(ConfigWatcher.class);

  private final ConfigLoader loader;
  private final Path file;
  private final Supplier<Configuration> current;
  private final Listener listener;
  private Source settled;
  private @Nullable Source candidate;

  /** Receives the result of a save, on the thread that polls. */
  public interface Listener {
    /** Called with a valid configuration and its changes, which are empty for new comments. */
    void changed(LoadResult.Valid result, List<Change> changes);

    /** Called with the faults of an invalid file; the configuration does not change. */
    void refused(LoadResult.Invalid result);
  }

  private ConfigWatcher(
      ConfigLoader loader,
      Path file,
      Source settled,
      Supplier<Configuration> current,
      Listener listener) {
    this.loader = loader;
    this.file = file;
    this.settled = settled;
    this.current = current;
    this.listener = listener;
  }

  /** Returns a watcher that reports changes from the current content of the file. */
  public static ConfigWatcher of(
      ConfigLoader loader, Path file, Supplier<Configuration> current, Listener listener) {
    return new ConfigWatcher(loader, file, Source.read(file), current, listener);
  }

  /** Polls repeatedly until the future is cancelled. */
  public ScheduledFuture<?> start(ScheduledExecutorService scheduler, Duration interval) {
    long nanos = interval.toNanos();
    return scheduler.scheduleWithFixedDelay(this::pollSafely, nanos, nanos, TimeUnit.NANOSECONDS);
  }

  /** Reads the file once. */
  public synchronized void poll() {
    Source read = Source.read(file);
    if (read.sameAs(settled)) {
      candidate = null;
      return;
    }
    if (candidate == null || !read.sameAs(candidate)) {
      candidate = read;
      return;
    }
    settled = read;
    candidate = null;
    LoadResult result = loader.load(read);
    if (result instanceof LoadResult.Valid valid) {
      listener.changed(valid, valid.configuration().changesFrom(current.get()));
    } else if (result instanceof LoadResult.Invalid invalid) {
      listener.refused(invalid);
    }
  }

  /** Polls; an exception of the listener does not end the watch. */
  private void pollSafely() {
    try {
      poll();
    } catch (RuntimeException e) {
      LOG.error("saved configuration could not be applied", e);
    }
  }
}
