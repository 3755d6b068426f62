package io.heatshield.limit.yaml;

import io.heatshield.key.KeyText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Gathers faults; keeps the first {@value #MOST} and says so if there were more. */
final class RuleFaults {
  static final int MOST = 200;
  private static final int SHOWN = 60;

  private final List<RuleFault> faults = new ArrayList<>();
  private int dropped;

  void add(String file, int line, String sentence) {
    if (faults.size() >= MOST) {
      dropped++;
    } else {
      faults.add(new RuleFault(file, line, sentence));
    }
  }

  void addAll(RuleFaults others) {
    others.faults.forEach(fault -> add(fault.file(), fault.line(), fault.sentence()));
    dropped += others.dropped;
  }

  boolean isEmpty() {
    return faults.isEmpty();
  }

  /** Returns the faults by file, in the order of the files, and line. */
  List<RuleFault> sorted(List<String> files) {
    var sorted = new ArrayList<>(faults);
    sorted.sort(
        Comparator.comparingInt((RuleFault fault) -> files.indexOf(fault.file()))
            .thenComparingInt(RuleFault::line));
    if (dropped > 0) {
      RuleFault last = sorted.get(sorted.size() - 1);
      sorted.add(new RuleFault(last.file(), 0, dropped + " more faults are not listed"));
    }
    return List.copyOf(sorted);
  }

  /** Returns text from outside as a sentence may show it: escaped, and cut when long. */
  static String shown(String text) {
    boolean cut = text.codePointCount(0, text.length()) > SHOWN;
    String head = cut ? text.substring(0, text.offsetByCodePoints(0, SHOWN)) : text;
    return KeyText.of(head) + (cut ? "..." : "");
  }
}
