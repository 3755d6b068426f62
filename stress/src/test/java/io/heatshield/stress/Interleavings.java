package io.heatshield.stress;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/** The check of every Lincheck test in this module; with {@code -P broken} it must find the bug. */
final class Interleavings {
  /** Classes that Lincheck cannot instrument: it fails on a byte-array view handle. */
  private static final String[] UNKNOWN_HANDLES = {
    "io.heatshield.filter.UnalignedLongs", "io.heatshield.hash.Words"
  };

  /** Classes that are assumed to be correct: Caffeine has its own tests, and is large. */
  private static final String CACHE = "com.github.benmanes.caffeine.";

  private Interleavings() {}

  /**
   * Checks that the results of two threads that call a test's operations are those of some
   * sequential order of the same calls on the specification.
   */
  static void check(Class<?> test, Class<?> specification) {
    var options =
        new ModelCheckingOptions()
            .iterations(Integer.getInteger("lincheck.iterations", 12))
            .invocationsPerIteration(Integer.getInteger("lincheck.invocations", 500))
            .threads(2)
            .actorsBefore(1)
            .actorsPerThread(3)
            .actorsAfter(1)
            .sequentialSpecification(specification)
            .addGuarantee(forClasses(UNKNOWN_HANDLES).allMethods().treatAsAtomic())
            .addGuarantee(forClasses(name -> name.startsWith(CACHE)).allMethods().treatAsAtomic());

    if (Boolean.getBoolean("stress.broken")) {
      assertThrows(AssertionError.class, () -> options.check(test));
    } else {
      options.check(test);
    }
  }
}
