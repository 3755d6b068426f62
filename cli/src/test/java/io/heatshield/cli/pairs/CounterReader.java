package io.heatshield.cli.pairs;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A second client that reads the counter continuously while the first one increments it.
 *
 * <p>A read must see every increment that was acknowledged before it began, and none that was not
 * sent before it ended. A key that is never written must stay absent.
 */
final class CounterReader implements AutoCloseable {
  private static final String NEVER_WRITTEN = "{c}never-written";

  private final RespClient client;
  private final AtomicLong least;
  private final AtomicLong most;
  private final AtomicLong reads = new AtomicLong();
  private final Thread thread = new Thread(this::read, "counter-reader");
  private volatile boolean stopped;
  private volatile boolean lossIsExpected;
  private volatile @Nullable Throwable failure;

  /**
   * Starts to read.
   *
   * @param least the certain minimum of the counter
   * @param most the maximum of the counter once all sent commands are done
   */
  CounterReader(RespClient client, AtomicLong least, AtomicLong most) {
    this.client = client;
    this.least = least;
    this.most = most;
    thread.setDaemon(true);
    thread.start();
  }

  /** Returns how many reads of the counter were answered. */
  long reads() {
    return reads.get();
  }

  /** Lets the reader end without a failure when its connection does. */
  void expectLoss() {
    lossIsExpected = true;
  }

  /** Stops and throws the failure, if any. */
  @Override
  public void close() throws IOException {
    stopped = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    client.close();
    throwFailure();
  }

  /** Throws the failure so far, if any. */
  void throwFailure() {
    Throwable wrong = failure;
    if (wrong != null) {
      throw new AssertionError("the second client: " + wrong.getMessage(), wrong);
    }
  }

  private void read() {
    try {
      while (!stopped) {
        long atLeast = least.get();
        String reply = client.call("GET", RandomSteps.COUNTER);
        long atMost = most.get();
        reads.incrementAndGet();
        long value = reply.equals("nil") ? 0 : Long.parseLong(reply.replace("\"", ""));
        if (value < atLeast || value > atMost) {
          throw new AssertionError(value + " is not from " + atLeast + " to " + atMost);
        }
        String absent = client.call("GET", NEVER_WRITTEN);
        if (!absent.equals("nil")) {
          throw new AssertionError(NEVER_WRITTEN + " holds " + absent);
        }
      }
    } catch (IOException e) {
      failure = lossIsExpected ? null : e;
    } catch (Throwable e) {
      failure = e;
    }
  }
}
