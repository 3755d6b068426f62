package io.heatshield.cli.replay;

import io.heatshield.replay.Progress;
import io.heatshield.time.Ticker;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * Prints progress to standard error: a bar with rate and remaining time on a terminal, a line every
 * five seconds otherwise.
 */
public final class ProgressReporter implements Progress, AutoCloseable {
  private static final long LINE_EVERY_NANOS = 5_000_000_000L;
  private static final int BAR_WIDTH = 100;

  private final String task;
  private final PrintWriter err;
  private final Ticker ticker;
  private final @Nullable ProgressBar bar;
  private final long start;
  private long nextLine;

  /** Starts to report a task on standard error. */
  public static ProgressReporter start(String task, PrintWriter err) {
    boolean terminal = Boolean.getBoolean("heatshield.stderr.tty");
    return new ProgressReporter(task, err, terminal, Ticker.system());
  }

  ProgressReporter(String task, PrintWriter err, boolean terminal, Ticker ticker) {
    this.task = task;
    this.err = err;
    this.ticker = ticker;
    this.bar = terminal ? bar(task) : null;
    this.start = ticker.nanos();
    this.nextLine = start + LINE_EVERY_NANOS;
  }

  @Override
  public void update(long done, long total, long touches) {
    long now = ticker.nanos();
    double seconds = Math.max(1e-9, (now - start) / 1e9);
    String rate = String.format(Locale.ROOT, "%,.0f requests/s", touches / seconds);
    if (bar != null) {
      bar.maxHint(total > 0 ? total : -1).stepTo(done).setExtraMessage(" " + rate);
    } else if (now - nextLine >= 0) {
      nextLine = now + LINE_EVERY_NANOS;
      err.println("heatshield: " + task + ": " + percentage(done, total, seconds) + rate);
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }

  private static String percentage(long done, long total, double seconds) {
    if (total <= 0 || done <= 0) {
      return "";
    }
    double left = seconds * Math.max(0, total - done) / done;
    return String.format(Locale.ROOT, "%.0f %%, %.0f s left, ", 100.0 * done / total, left);
  }

  private static ProgressBar bar(String task) {
    var stream =
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
    return ProgressBar.builder()
        .setTaskName(task)
        .setStyle(ProgressBarStyle.ASCII)
        .setUpdateIntervalMillis(200)
        .setConsumer(new ConsoleProgressBarConsumer(stream, BAR_WIDTH))
        .clearDisplayOnFinish()
        .build();
  }
}
