package io.heatshield.data.command.hot;

import io.heatshield.data.command.server.CpuTime;
import io.heatshield.hash.KeyHash;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A session of HOTKEYS: the time and bytes that commands on keys cost, in total and by key.
 *
 * <p>Any thread may call. With a sample ratio n, one command in n is attributed to its keys, with n
 * times its cost; the totals of all commands are exact.
 */
public final class HotSession {
  private static final int PLACES = 64;

  /**
   * The options of a session.
   *
   * @param cpu whether time is tracked
   * @param net whether bytes are tracked
   * @param count the maximum number of keys to return
   * @param durationMillis how long the session lasts, or 0 until it is stopped
   * @param sample the sample ratio: one command in this number is attributed to its keys
   */
  record Options(boolean cpu, boolean net, int count, long durationMillis, int sample) {}

  /** A command that has run and has not been answered. */
  public record Use(HotSession session, List<byte[]> keys, long requestBytes, boolean sampled) {
    public void answered(long replyBytes) {
      session.answered(this, requestBytes + replyBytes);
    }
  }

  final Options options;
  final long startMillis;
  final CpuTime startCpu = CpuTime.now();
  private final @Nullable KeyTotals cpu;
  private final @Nullable KeyTotals net;
  private long allNanos;
  private long allBytes;
  private long stoppedMillis = -1;

  HotSession(Options options, long nowMillis, KeyHash hash) {
    this.options = options;
    this.startMillis = nowMillis;
    this.cpu = options.cpu ? new KeyTotals(PLACES * options.count, hash) : null;
    this.net = options.net ? new KeyTotals(PLACES * options.count, hash) : null;
  }

  synchronized boolean isActive(long nowMillis) {
    boolean over = options.durationMillis > 0 && nowMillis - startMillis >= options.durationMillis;
    if (stoppedMillis < 0 && over) {
      stoppedMillis = startMillis + options.durationMillis;
    }
    return stoppedMillis < 0;
  }

  synchronized void stop(long nowMillis) {
    stoppedMillis = nowMillis;
  }

  synchronized long durationMillis(long nowMillis) {
    return (stoppedMillis < 0 ? nowMillis : stoppedMillis) - startMillis;
  }

  /** Adds the time of a command; the result takes the bytes of its reply. */
  public synchronized Use ran(List<byte[]> keys, byte[][] args, long nanos) {
    boolean sampled =
        options.sample == 1 || ThreadLocalRandom.current().nextInt(options.sample) == 0;
    allNanos += nanos;
    if (sampled && cpu != null) {
      share(cpu, keys, nanos);
    }
    return new Use(this, keys, wireBytes(args), sampled);
  }

  synchronized long allMicros() {
    return allNanos / 1000;
  }

  synchronized long allBytes() {
    return allBytes;
  }

  synchronized long sampledBytes() {
    return net == null ? 0 : net.sum();
  }

  synchronized List<KeyTotals.Total> byNanos() {
    return cpu == null ? List.of() : cpu.top(options.count);
  }

  synchronized List<KeyTotals.Total> byBytes() {
    return net == null ? List.of() : net.top(options.count);
  }

  private synchronized void answered(Use use, long bytes) {
    allBytes += bytes;
    if (use.sampled && net != null) {
      share(net, use.keys, bytes);
    }
  }

  private void share(KeyTotals totals, List<byte[]> keys, long amount) {
    for (byte[] key : keys) {
      totals.add(key, amount * options.sample / keys.size());
    }
  }

  /** Returns the bytes of a command on the wire. */
  private static long wireBytes(byte[][] args) {
    long bytes = 3L + digits(args.length);
    for (byte[] arg : args) {
      bytes += 5 + digits(arg.length) + (long) arg.length;
    }
    return bytes;
  }

  private static int digits(int number) {
    return Integer.toString(number).length();
  }
}
