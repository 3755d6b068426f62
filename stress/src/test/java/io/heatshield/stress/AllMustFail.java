package io.heatshield.stress;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.openjdk.jcstress.Main;

/** Runs jcstress on the broken variants and fails unless every test found its bug. */
final class AllMustFail {
  private static final List<Class<?>> SUITES =
      List.of(
          CountMinSketchStress.class,
          HotKeyDetectorStress.class,
          HotRingStress.class,
          CuckooFilterStress.class,
          MemoryCountersStress.class,
          CoalescerStress.class,
          ContestTableStress.class,
          HotValuesStress.class,
          CommandQueueStress.class);

  private AllMustFail() {}

  /** Takes the arguments of jcstress. */
  public static void main(String[] args) throws Exception {
    String failures = "";
    try {
      Main.main(args);
    } catch (AssertionError e) {
      failures = String.valueOf(e.getMessage());
    }
    List<String> blind = new ArrayList<>();
    for (Class<?> suite : SUITES) {
      for (Class<?> test : Arrays.asList(suite.getDeclaredClasses())) {
        if (!failures.contains(test.getCanonicalName() + " ")) {
          blind.add(test.getSimpleName());
        }
      }
    }
    if (!blind.isEmpty()) {
      throw new IllegalStateException("tests that did not find the fault: " + blind);
    }
  }
}
