package io.heatshield.cli;

import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * An output that goes silent at its first fault and remembers it, where a {@link
 * java.io.PrintWriter} would only remember that there was one.
 *
 * <p>One thread writes; any thread may ask for the fault.
 */
final class WatchedStream extends OutputStream {
  private final OutputStream target;
  private volatile @Nullable IOException fault;

  WatchedStream(OutputStream target) {
    this.target = target;
  }

  /** Returns the first fault, or null if everything was written. */
  @Nullable IOException fault() {
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
