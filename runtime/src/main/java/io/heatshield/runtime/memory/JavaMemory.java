package io.heatshield.runtime.memory;

import java.util.List;

/**
 * The memory that Java and the libraries take themselves.
 *
 * <p>The constants were measured with native memory tracking on Java 17, for a server with a store
 * and rate limits under the load of 200 clients, and rounded up: 27 MiB of classes and symbols, 50
 * MiB of compiled code and compiler, 25 MiB and 4 % of the heap for the G1 collector, 70 KiB for a
 * thread, and 10 MiB of objects on the heap.
 */
public final class JavaMemory {
  private static final String OWNER = "java";
  private static final long LIBRARIES = 14L << 20;
  private static final long CLASSES = 40L << 20;
  private static final long CODE = 56L << 20;
  private static final long THREADS = 64L * (96 << 10);
  private static final long COLLECTOR = 24L << 20;
  private static final int COLLECTOR_SHARE = 25;
  private static final long SIMPLE_COLLECTOR = 2L << 20;
  private static final int SIMPLE_SHARE = 128;

  private JavaMemory() {}

  /** Returns the parts, given the planned bytes of the others on the heap. */
  public static List<MemoryPart> parts(long heap, MachineMemory machine) {
    long all = Math.min(Long.MAX_VALUE / 2, heap) + LIBRARIES;
    long collector =
        machine.hasFixedGenerations()
            ? SIMPLE_COLLECTOR + all / SIMPLE_SHARE
            : COLLECTOR + all / COLLECTOR_SHARE;
    return List.of(
        MemoryPart.heap(OWNER, "libraries", LIBRARIES, ""),
        MemoryPart.outside(OWNER, "classes", CLASSES, ""),
        MemoryPart.outside(OWNER, "compiled code", CODE, ""),
        MemoryPart.outside(OWNER, "threads", THREADS, ""),
        MemoryPart.outside(OWNER, "garbage collector", collector, "-Xmx"));
  }
}
