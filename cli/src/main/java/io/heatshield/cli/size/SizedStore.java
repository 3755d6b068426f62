package io.heatshield.cli.size;

import io.heatshield.config.ConfigLoader;
import io.heatshield.config.Configuration;
import io.heatshield.config.LoadResult;
import io.heatshield.config.value.ByteSize;
import io.heatshield.runtime.memory.MemoryArea;
import io.heatshield.runtime.memory.MemoryPart;
import io.heatshield.runtime.memory.MemoryPlan;
import io.heatshield.server.memory.MemoryFit;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;

/**
 * The configuration of a store for keys, and what its server needs.
 *
 * @param yaml the configuration
 * @param heapBytes the heap that the server needs
 * @param directBytes the direct memory that it needs
 * @param machineBytes the memory of the machine or container
 */
public record SizedStore(String yaml, long heapBytes, long directBytes, long machineBytes) {
  private static final String NAME = "keys";
  private static final long MEBIBYTE = 1 << 20;
  private static final long MAX_MEBIBYTES = 16L << 20;
  private static final int FILTER_PERCENT = 10;

  /** The bytes of an entry of a store in memory, in addition to its key and value. */
  private static final int ENTRY_BYTES = 112;

  /**
   * Returns the smallest store whose filter and data have room for the keys.
   *
   * @throws IllegalArgumentException if a store cannot be that large
   */
  public static SizedStore of(SizeEstimate estimate) {
    long low = 0;
    long high = MAX_MEBIBYTES;
    if (!suffices(estimate, high)) {
      throw new IllegalArgumentException(
          "the keys must fit into one store of 16TiB: divide them among several stores");
    }
    while (high - low > 1) {
      long middle = low + (high - low) / 2;
      if (suffices(estimate, middle)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    String yaml = yaml(estimate.keys(), high);
    MemoryPlan plan = MemoryFit.roomy(configuration(yaml));
    long heap = plan.machine().heap();
    return new SizedStore(
        yaml,
        heap,
        plan.bytes(MemoryArea.DIRECT),
        heap + plan.bytes() - plan.bytes(MemoryArea.HEAP));
  }

  /** Returns the options of Java that provide heap and direct memory. */
  public String javaOptions() {
    String heap = "-Xmx" + mebibytes(heapBytes) + "m";
    return directBytes <= heapBytes
        ? heap
        : heap + " -XX:MaxDirectMemorySize=" + mebibytes(directBytes) + "m";
  }

  private static long mebibytes(long bytes) {
    return (bytes + MEBIBYTE - 1) / MEBIBYTE;
  }

  /** Returns whether a store of a size has room for the filter and, in memory, for the data. */
  private static boolean suffices(SizeEstimate estimate, long mebibytes) {
    KeySet keys = estimate.keys();
    MemoryPlan plan = MemoryFit.roomy(configuration(yaml(keys, mebibytes)));
    boolean filter = part(plan, "filter") >= budget(estimate);
    return filter && (keys.valueBytes() == null || part(plan, "data") >= dataBytes(keys));
  }

  private static long part(MemoryPlan plan, String name) {
    return plan.parts().stream()
        .filter(part -> part.owner().equals("store " + NAME) && part.name().equals(name))
        .mapToLong(MemoryPart::bytes)
        .sum();
  }

  /** Returns the budget with which the filter is not degraded, also while it is rebuilt. */
  private static long budget(SizeEstimate estimate) {
    return estimate.filter().bytes() * 5 / 2;
  }

  private static double dataBytes(KeySet keys) {
    Long value = keys.valueBytes();
    double entry = ENTRY_BYTES + rounded(keys.keyBytes()) + (value == null ? 0 : rounded(value));
    return keys.items() * entry;
  }

  private static long rounded(long length) {
    return (length + 7) & -8;
  }

  private static String yaml(KeySet keys, long mebibytes) {
    String engine =
        keys.valueBytes() == null ? "engine: rocksdb\n    path: ./data/" + NAME : "engine: memory";
    return String.format(
        Locale.ROOT,
        """
        stores:
          - name: %s
            %s
            max_memory: %s
            cuckoo_filter:
              mode: enforce
              expected_items: %d
              false_positive_rate: %s
              memory_budget_percent: %d
        """,
        NAME,
        engine,
        new ByteSize(mebibytes * MEBIBYTE),
        keys.items(),
        decimal(keys.rate()),
        FILTER_PERCENT);
  }

  private static String decimal(double rate) {
    return new BigDecimal(Double.toString(rate)).toPlainString();
  }

  private static Configuration configuration(String yaml) {
    LoadResult result =
        new ConfigLoader(Map.of()).load("size", yaml.getBytes(StandardCharsets.UTF_8));
    if (result instanceof LoadResult.Valid valid) {
      return valid.configuration();
    }
    throw new IllegalArgumentException(
        "no store can be configured for these keys: " + ((LoadResult.Invalid) result).faults());
  }
}
