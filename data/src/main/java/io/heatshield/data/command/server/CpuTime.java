package io.heatshield.data.command.server;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The processor time that this process has used.
 *
 * @param userMillis milliseconds outside the kernel
 * @param systemMillis milliseconds in the kernel
 */
public record CpuTime(long userMillis, long systemMillis) {
  private static final Path STAT = Path.of("/proc/self/stat");
  private static final int USER = 11;
  private static final int MILLIS_PER_TICK = 10;

  /** Returns the time from /proc, or where it is missing, the sum over the live threads. */
  public static CpuTime now() {
    try {
      String stat = Files.readString(STAT, StandardCharsets.ISO_8859_1);
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      return new CpuTime(
          Long.parseLong(fields[USER]) * MILLIS_PER_TICK,
          Long.parseLong(fields[USER + 1]) * MILLIS_PER_TICK);
    } catch (IOException | RuntimeException e) {
      ThreadMXBean threads = ManagementFactory.getThreadMXBean();
      long all = sum(threads, true);
      long user = sum(threads, false);
      return new CpuTime(user / 1_000_000, (all - user) / 1_000_000);
    }
  }

  public CpuTime since(CpuTime start) {
    return new CpuTime(
        Math.max(0, userMillis - start.userMillis), Math.max(0, systemMillis - start.systemMillis));
  }

  private static long sum(ThreadMXBean threads, boolean all) {
    return Arrays.stream(threads.getAllThreadIds())
        .map(id -> Math.max(0, all ? threads.getThreadCpuTime(id) : threads.getThreadUserTime(id)))
        .sum();
  }
}
