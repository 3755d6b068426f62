package io.heatshield.bench;

import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.ThreadParams;

/** A thread's position in the stream; threads begin at distant positions. */
@State(Scope.Thread)
public class Cursor {
  private int at;

  /** Sets the first position. */
  @Setup
  public void begin(ThreadParams threads) {
    at = ZipfKeys.TOUCHES / threads.getThreadCount() * threads.getThreadIndex();
  }

  int next() {
    return at++ & (ZipfKeys.TOUCHES - 1);
  }
}
