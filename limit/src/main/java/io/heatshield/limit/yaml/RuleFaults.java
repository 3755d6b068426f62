package io.heatshield.limit.yaml;

import io.heatshield.key.KeyText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects the faults of all files: the first {@value #MAX}, and the number of the others. */
final class RuleFaults {
  static final int MAX = 200;
  private static final int MAX_SHOWN = 60;

  private final List<String> files = new ArrayList<>();
  private final List<RuleFault> faults = new ArrayList<>();
  private String file = "";
  private int count;

  /** Makes a file the one that the next faults are in. */
  void startFile(String name) {
    file = name;
    files.add(name);
  }

  /**
   * Adds a fault of the current file.
   *
   * @param line counted from 1; 0 for the whole file
   */
  void add(int line, String sentence) {
    if (count++ < MAX) {
      faults.add(new RuleFault(file, line, sentence));
    }
  }

  /** Returns how many faults were added. */
  int count() {
    return count;
  }

  /** Returns the faults by file, in the order in which these were read, and by line. */
  List<RuleFault> sorted() {
    var sorted = new ArrayList<>(faults);
    sorted.sort(
        Comparator.comparingInt((RuleFault fault) -> files.indexOf(fault.file()))
            .thenComparingInt(RuleFault::line));
    if (count > MAX) {
      RuleFault last = sorted.get(sorted.size() - 1);
      sorted.add(new RuleFault(last.file(), 0, (count - MAX) + " more faults are not listed"));
    }
    return List.copyOf(sorted);
  }

  /** Returns untrusted text for a message: escaped, and shortened if it is long. */
  static String shown(String text) {
    boolean cut = text.codePointCount(0, text.length()) > MAX_SHOWN;
    String head = cut ? text.substring(0, text.offsetByCodePoints(0, MAX_SHOWN)) : text;
    return KeyText.of(head) + (cut ? "..." : "");
  }
}
