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
 * Notices that a configuration file was saved and hands on what it now says: whole, or not at all.
 *
 * <p>A new state of the file counts once two polls in a row read the same, so a file that is still
 * being written is not taken for a complete one. Each state is handed on once. A live change does
 * not outlast the next save: the file is what counts then, and the diff shows it.
 *
 * <p>Any thread may poll; polls run one after the other.
 */
public final class ConfigWatcher {
  /*
   * The whole content is compared, not its time stamp: the file is small, a stamp can stand still
   * over two saves, and content also sees an atomic rename and the swap of a link on the way to the
   * file. What two polls have seen is what is bound; the file is not read a third time.
   */
  private static final Logger LOG = LoggerFactory.getLogger(ConfigWatcher.class);

  private final ConfigLoader loader;
  private final Path file;
  private final Supplier<Configuration> current;
  private final Listener listener;
  private Source settled;
  private @Nullable Source candidate;

  /** Is told what came of a save, on the thread that polls. */
  public interface Listener {
    /** Takes a valid configuration and what it changes, which is nothing if only comments did. */
    void changed(LoadResult.Valid result, List<Change> changes);

    /** Takes the faults of a file that was refused; the configuration stays as it is. */
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

  /** Returns a watcher that takes the file as it is now for known. */
  public static ConfigWatcher of(
      ConfigLoader loader, Path file, Supplier<Configuration> current, Listener listener) {
    return new ConfigWatcher(loader, file, Source.read(file), current, listener);
  }

  /** Polls again and again until the future is cancelled. */
  public ScheduledFuture<?> start(ScheduledExecutorService scheduler, Duration interval) {
    long nanos = interval.toNanos();
    return scheduler.scheduleWithFixedDelay(this::pollSafely, nanos, nanos, TimeUnit.NANOSECONDS);
  }

  /** Looks at the file once. */
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

  /** Polls; a listener that throws must not end the watch. */
  private void pollSafely() {
    try {
      poll();
    } catch (RuntimeException e) {
      LOG.error("the saved configuration could not be applied", e);
    }
  }
}
