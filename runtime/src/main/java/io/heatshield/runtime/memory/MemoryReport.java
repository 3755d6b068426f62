package io.heatshield.runtime.memory;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The planned and the used memory of a process.
 *
 * @param heap the Java heap
 * @param direct the direct memory
 * @param total the whole process, as the operating system sees it
 * @param limitedBy what sets the maximum of the total: {@code this machine}, or the file with the
 *     limit of the container
 * @param parts all parts of the plan
 */
public record MemoryReport(Use heap, Use direct, Use total, String limitedBy, List<PartUse> parts) {

  /**
   * The memory of an area.
   *
   * @param planned the most bytes that the parts take
   * @param used the bytes in use, or null if they are not known
   * @param max the maximum
   */
  public record Use(long planned, @Nullable Long used, long max) {}

  /**
   * The memory of a part; the components before {@code used} are those of {@link MemoryPart}.
   *
   * @param used the bytes in use, or null if they are not measured
   */
  public record PartUse(
      String owner,
      String name,
      MemoryArea area,
      long planned,
      @Nullable Long used,
      String setting) {}
}
