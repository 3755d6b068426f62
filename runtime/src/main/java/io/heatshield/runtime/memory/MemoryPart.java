package io.heatshield.runtime.memory;

/**
 * A part of the process and the most memory that it takes.
 *
 * @param owner the component, for example {@code store main}
 * @param name what the memory holds, for example {@code filter}
 * @param area where the memory is
 * @param bytes the most bytes, computed from the settings
 * @param setting the setting that changes it, or a Java option; empty if nothing does
 */
public record MemoryPart(String owner, String name, MemoryArea area, long bytes, String setting) {

  /** Checks that the bytes are not negative. */
  public MemoryPart {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes must not be negative: " + bytes);
    }
  }

  /** Returns a part on the heap. */
  public static MemoryPart heap(String owner, String name, long bytes, String setting) {
    return new MemoryPart(owner, name, MemoryArea.HEAP, bytes, setting);
  }

  /** Returns a part in direct memory. */
  public static MemoryPart direct(String owner, String name, long bytes, String setting) {
    return new MemoryPart(owner, name, MemoryArea.DIRECT, bytes, setting);
  }

  /** Returns a part in native memory. */
  public static MemoryPart outside(String owner, String name, long bytes, String setting) {
    return new MemoryPart(owner, name, MemoryArea.NATIVE, bytes, setting);
  }

  /** Returns the owner and the name, by which a part is identified. */
  public String label() {
    return owner + ": " + name;
  }
}
