package io.heatshield.runtime.memory;

import java.util.List;

/**
 * The most memory that all parts of a process take, compared with what there is.
 *
 * <p>A plan fits if the parts on the heap leave {@value #FREE_PERCENT} % of its old generation to
 * the garbage collector, the direct memory is within its maximum, and all parts together are within
 * the limit of the machine or container. Immutable.
 */
public record MemoryPlan(List<MemoryPart> parts, MachineMemory machine) {
  /** The share of the heap that is left to the garbage collector. */
  public static final int FREE_PERCENT = 10;

  private static final int SPARE_PERCENT = 5;

  /** Copies the parts. */
  public MemoryPlan {
    parts = List.copyOf(parts);
  }

  /** Returns the planned bytes of an area. */
  public long bytes(MemoryArea area) {
    return parts.stream()
        .filter(part -> part.area() == area)
        .mapToLong(MemoryPart::bytes)
        .reduce(0, MemoryPlan::sum);
  }

  /** Returns the planned bytes of all areas. */
  public long bytes() {
    return parts.stream().mapToLong(MemoryPart::bytes).reduce(0, MemoryPlan::sum);
  }

  /** Returns the bytes of the heap that the parts may take. */
  public long heapRoom() {
    return machine.old() / 100 * (100 - FREE_PERCENT);
  }

  /** Returns whether the machine has enough memory in every area. */
  public boolean fits() {
    return fitsHeap() && fitsDirect() && fitsMachine();
  }

  /**
   * Returns whether every area also has room for as much as {@value #SPARE_PERCENT} % more, so that
   * settings can be added later.
   */
  public boolean fitsWithSpare() {
    return withSpare(bytes(MemoryArea.HEAP)) <= heapRoom()
        && withSpare(bytes(MemoryArea.DIRECT)) <= machine.direct()
        && withSpare(bytes()) <= machine.total();
  }

  private static long withSpare(long bytes) {
    return sum(bytes, bytes / 100 * SPARE_PERCENT);
  }

  /** Returns whether the heap is large enough. */
  public boolean fitsHeap() {
    return bytes(MemoryArea.HEAP) <= heapRoom();
  }

  /** Returns whether the maximum of direct memory is large enough. */
  public boolean fitsDirect() {
    return bytes(MemoryArea.DIRECT) <= machine.direct();
  }

  /** Returns whether the machine or container is large enough. */
  public boolean fitsMachine() {
    return bytes() <= machine.total();
  }

  /** Returns a heap that is large enough for the parts, in bytes. */
  public long heapNeeded() {
    double share = (double) machine.old() / machine.heap() * (100 - FREE_PERCENT) / 100;
    return (long) (bytes(MemoryArea.HEAP) / share) + 1000;
  }

  /** Adds sizes; the result of an overflow is the largest number. */
  private static long sum(long one, long other) {
    return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
  }
}
