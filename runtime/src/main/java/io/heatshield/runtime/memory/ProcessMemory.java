package io.heatshield.runtime.memory;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the memory that this process uses from Java, Netty and the operating system. */
public final class ProcessMemory {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String RESIDENT = "VmRSS:";

  private ProcessMemory() {}

  /** Returns the bytes of the heap that are in use, garbage included. */
  public static long heap() {
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** Returns the bytes of direct memory: the buffers of Java, and those of Netty. */
  public static long direct() {
    long buffers =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .mapToLong(BufferPoolMXBean::getMemoryUsed)
            .sum();
    return buffers + networkBuffers();
  }

  /** Returns the bytes of the process in physical memory, or null if this is not known. */
  public static @Nullable Long resident() {
    try {
      for (String line : Files.readAllLines(STATUS)) {
        if (line.startsWith(RESIDENT)) {
          return 1024 * Long.parseLong(line.replaceAll("[^0-9]", ""));
        }
      }
    } catch (IOException | RuntimeException unknown) {
      return null;
    }
    return null;
  }

  /** Returns the bytes that Java uses, by the names of the parts of {@link JavaMemory}. */
  public static Map<String, Long> parts() {
    long classes = 0;
    long code = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      boolean isCode = pool.getName().startsWith("Code") || pool.getName().contains("'");
      if (pool.getType() == MemoryType.NON_HEAP && isCode) {
        code += pool.getUsage().getCommitted();
      } else if (pool.getName().equals("Metaspace")) {
        classes += pool.getUsage().getCommitted();
      }
    }
    return Map.of("classes", classes, "compiled code", code);
  }

  /** Returns the bytes that Netty has allocated for buffers. */
  public static long networkBuffers() {
    return ByteBufAllocator.DEFAULT instanceof ByteBufAllocatorMetricProvider allocator
        ? allocator.metric().usedDirectMemory()
        : 0;
  }
}
