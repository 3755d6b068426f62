package io.heatshield.runtime.memory;

/** Where a part of the process has its memory. */
public enum MemoryArea {
  /** The Java heap, limited by {@code -Xmx}. */
  HEAP,
  /** Buffers outside the heap, limited by {@code -XX:MaxDirectMemorySize}. */
  DIRECT,
  /** Everything else: libraries, threads, compiled code, tables of the garbage collector. */
  NATIVE
}
