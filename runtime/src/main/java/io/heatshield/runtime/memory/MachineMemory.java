package io.heatshield.runtime.memory;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.nio.file.Path;

/**
 * The memory that a process may use.
 *
 * @param heap the maximum heap, in bytes
 * @param old the part of the heap in which objects can stay, in bytes: all of it, or the old
 *     generation if the garbage collector gives it a fixed size
 * @param direct the maximum direct memory, in bytes
 * @param total the memory of the machine, or the limit of the container if that is lower
 * @param source what sets the total: {@code this machine}, or the file with the container's limit
 */
public record MachineMemory(long heap, long old, long direct, long total, String source) {
  private static final String MACHINE = "this machine";

  /** Java selects the serial collector on machines with less memory, or with one processor. */
  private static final long SMALLEST_SERVER_CLASS = 1792L << 20;

  /** Returns the memory of this process. */
  public static MachineMemory current() {
    long heap = Runtime.getRuntime().maxMemory();
    return of(heap, Math.min(heap, oldGeneration(heap)), maxDirect(heap), physical(), Path.of("/"));
  }

  /**
   * Returns the memory that a server started on this machine would have, for a command that runs
   * with another garbage collector.
   */
  public static MachineMemory ofServer() {
    MachineMemory here = current();
    boolean small =
        Runtime.getRuntime().availableProcessors() < 2 || here.total < SMALLEST_SERVER_CLASS;
    long old = small ? here.heap / 3 * 2 : here.heap;
    return new MachineMemory(here.heap, old, here.direct, here.total, here.source);
  }

  /** Returns the memory of a process on a machine with these files. */
  static MachineMemory of(long heap, long old, long direct, long physical, Path root) {
    return new Cgroup(root)
        .limit()
        .filter(limit -> limit.bytes() < physical)
        .map(limit -> new MachineMemory(heap, old, direct, limit.bytes(), limit.file()))
        .orElseGet(() -> new MachineMemory(heap, old, direct, physical, MACHINE));
  }

  /** Returns whether the total is the limit of a container. */
  public boolean isContainer() {
    return !source.equals(MACHINE);
  }

  /** Returns whether the garbage collector gives the old generation a fixed size. */
  public boolean hasFixedGenerations() {
    return old < heap;
  }

  /** Returns this memory with another maximum heap, and as much direct memory if it has less. */
  public MachineMemory withHeap(long bytes) {
    long scaled = hasFixedGenerations() ? (long) ((double) old / heap * bytes) : bytes;
    return new MachineMemory(bytes, scaled, Math.max(direct, bytes), total, source);
  }

  private static long physical() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean machine
        ? machine.getTotalMemorySize()
        : Long.MAX_VALUE;
  }

  /** Returns the limit of direct memory, which is the maximum heap unless an option sets it. */
  private static long maxDirect(long heap) {
    HotSpotDiagnosticMXBean options =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    long set =
        options == null ? 0 : Long.parseLong(options.getVMOption("MaxDirectMemorySize").getValue());
    return set == 0 ? heap : set;
  }

  /** Returns the size of the old generation; only its pool supports a usage threshold. */
  private static long oldGeneration(long heap) {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP && pool.isUsageThresholdSupported())
        .mapToLong(pool -> pool.getUsage().getMax())
        .filter(max -> max > 0)
        .max()
        .orElse(heap);
  }
}
