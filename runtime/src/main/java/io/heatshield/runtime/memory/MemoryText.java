package io.heatshield.runtime.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The text of a memory plan for people. */
public final class MemoryText {
  private static final String[] UNITS = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};

  private MemoryText() {}

  /** Returns a size with three digits and a binary unit, for example {@code 1.25 GiB}. */
  public static String size(long bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= 1000 && unit < UNITS.length - 1) {
      value /= 1024;
      unit++;
    }
    String format = unit == 0 || value >= 100 ? "%.0f %s" : value >= 10 ? "%.1f %s" : "%.2f %s";
    return String.format(Locale.ROOT, format, value, UNITS[unit]);
  }

  /** Returns one line: the planned bytes of each area and in total, and what there is. */
  public static String line(MemoryPlan plan) {
    MachineMemory machine = plan.machine();
    return String.format(
        Locale.ROOT,
        "at most %s of %s: heap %s of %s, direct %s, native %s",
        size(plan.bytes()),
        size(machine.total()),
        size(plan.bytes(MemoryArea.HEAP)),
        size(machine.heap()),
        size(plan.bytes(MemoryArea.DIRECT)),
        size(plan.bytes(MemoryArea.NATIVE)));
  }

  /** Returns a table of all parts, and below it what is needed and what there is. */
  public static List<String> table(MemoryPlan plan) {
    int width = plan.parts().stream().mapToInt(part -> part.label().length()).max().orElse(0);
    String format = "  %-" + Math.max(width, "needed in native memory".length()) + "s  %10s  %-6s";
    var lines = new ArrayList<String>();
    lines.add(row(format, "part", "at most", "where", "setting"));
    for (MemoryPart part : plan.parts()) {
      lines.add(row(format, part.label(), size(part.bytes()), name(part.area()), part.setting()));
    }
    MachineMemory machine = plan.machine();
    lines.add(
        row(
            format,
            "needed on the heap",
            size(plan.bytes(MemoryArea.HEAP)),
            "",
            String.format(
                Locale.ROOT,
                "there are %s, %d %% of %s%s",
                size(plan.heapRoom()),
                100 - MemoryPlan.FREE_PERCENT,
                machine.hasFixedGenerations()
                    ? size(machine.old()) + ", the old generation of " + size(machine.heap())
                    : size(machine.heap()),
                verdict(plan.fitsHeap()))));
    lines.add(
        row(
            format,
            "needed in direct memory",
            size(plan.bytes(MemoryArea.DIRECT)),
            "",
            "there are " + size(machine.direct()) + verdict(plan.fitsDirect())));
    lines.add(
        row(
            format,
            "needed in total",
            size(plan.bytes()),
            "",
            "there are "
                + size(machine.total())
                + (machine.isContainer() ? " in this container" : " in this machine")
                + verdict(plan.fitsMachine())));
    return lines;
  }

  /** Returns the lower-case name of an area. */
  public static String name(MemoryArea area) {
    return area.name().toLowerCase(Locale.ROOT);
  }

  private static String row(String format, String label, String size, String area, String note) {
    return (String.format(Locale.ROOT, format, label, size, area) + "  " + note).stripTrailing();
  }

  private static String verdict(boolean fits) {
    return fits ? "" : ": too little";
  }
}
