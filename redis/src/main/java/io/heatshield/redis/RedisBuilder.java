package io.heatshield.redis;

import io.heatshield.time.Ticker;
import java.time.Duration;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** Makes a {@link Redis}. Not for use by several threads. */
public final class RedisBuilder {
  private static final long MAX_NANOS = Duration.ofMinutes(10).toNanos();
  private static final int MAX_CONNECTIONS = 64;
  private static final int MAX_PENDING = 1 << 20;

  final RedisUrl url;
  long budgetNanos = Duration.ofMillis(10).toNanos();
  long connectNanos = Duration.ofMillis(250).toNanos();
  long probeNanos = Duration.ofMillis(100).toNanos();
  int connections = 2;
  int maxPending = 16_384;
  int failuresToOpen = 5;
  @Nullable SSLSocketFactory sockets;
  Ticker ticker = Ticker.system();

  RedisBuilder(RedisUrl url) {
    this.url = url;
  }

  /** Sets the time in which every command is answered or failed; 10 ms unless said. */
  public RedisBuilder budget(Duration budget) {
    budgetNanos = positive("budget", budget);
    return this;
  }

  /** Sets how long to wait for a connection, and for the answer to a probe; 250 ms unless said. */
  public RedisBuilder connectTimeout(Duration timeout) {
    connectNanos = positive("connectTimeout", timeout);
    return this;
  }

  /** Sets the pause between probes while the breaker is open; 100 ms unless said. */
  public RedisBuilder probePause(Duration pause) {
    probeNanos = positive("probePause", pause);
    return this;
  }

  /** Sets how many connections, each with a thread, go to each server; 2 unless said. */
  public RedisBuilder connections(int count) {
    connections = within("connections", count, MAX_CONNECTIONS);
    return this;
  }

  /** Sets how many commands may wait for each connection; 16384 unless said. */
  public RedisBuilder maxPending(int count) {
    maxPending = within("maxPending", count, MAX_PENDING);
    return this;
  }

  /** Sets after how many failures in a row the breaker opens; 5 unless said. */
  public RedisBuilder failuresToOpen(int count) {
    failuresToOpen = within("failuresToOpen", count, MAX_PENDING);
    return this;
  }

  /** Sets what makes TLS sockets; that of the JVM unless said. Names are checked in any case. */
  public RedisBuilder tls(SSLSocketFactory factory) {
    sockets = factory;
    return this;
  }

  /** Sets the source of time for deadlines. */
  public RedisBuilder ticker(Ticker source) {
    ticker = source;
    return this;
  }

  /** Returns a client that begins to connect; it does not wait and does not fail. */
  public Redis open() {
    return new Redis(this);
  }

  private static long positive(String name, Duration value) {
    if (value.isNegative() || value.isZero() || value.compareTo(Duration.ofNanos(MAX_NANOS)) > 0) {
      throw new IllegalArgumentException(
          name + " must be positive and at most " + Duration.ofNanos(MAX_NANOS) + ": " + value);
    }
    return value.toNanos();
  }

  private static int within(String name, int value, int most) {
    if (value < 1 || value > most) {
      throw new IllegalArgumentException(name + " must be 1 to " + most + ": " + value);
    }
    return value;
  }
}
