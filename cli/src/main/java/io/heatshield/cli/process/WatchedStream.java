package io.heatshield.cli.process;

import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * An output stream that keeps its first exception and ignores all writes after it. A {@link
 * java.io.PrintWriter} would only keep the fact that there was one.
 *
 * <p>For one writing thread; any thread may call {@link #fault}.
 */
public final class WatchedStream extends OutputStream {
  private final OutputStream target;
  private volatile @Nullable IOException fault;

  public WatchedStream(OutputStream target) {
    this.target = target;
  }

  /** Returns the first exception, or null if everything was written. */
  public @Nullable IOException fault() {
    return fault;
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int length) {
    guard(() -> target.write(bytes, from, length));
  }

  @Override
  public void flush() {
    guard(target::flush);
  }

  @Override
  public void close() {
    guard(target::close);
  }

  private void guard(Step step) {
    if (fault != null) {
      return;
    }
    try {
      step.run();
    } catch (IOException e) {
      fault = e;
    }
  }

  private interface Step {
    void run() throws IOException;
  }
}
