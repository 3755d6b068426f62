package io.heatshield.stress;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/** The check that every Lincheck test here makes; with {@code -P broken} it must find the fault. */
final class Interleavings {
  /** What Lincheck cannot look into: it fails on the handle of a byte array read as numbers. */
  private static final String UNKNOWN_HANDLE = "io.heatshield.filter.UnalignedLongs";

  /** What is taken for correct: Caffeine has its own tests, and is large. */
  private static final String CACHE = "com.github.benmanes.caffeine.";

  private Interleavings() {}

  /**
   * Checks that whatever two threads do with a test's operations, the answers are those of some
   * order of the same calls on the specification.
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
            .addGuarantee(forClasses(UNKNOWN_HANDLE).allMethods().treatAsAtomic())
            .addGuarantee(forClasses(name -> name.startsWith(CACHE)).allMethods().treatAsAtomic());

    if (Boolean.getBoolean("stress.broken")) {
      assertThrows(AssertionError.class, () -> options.check(test));
    } else {
      options.check(test);
    }
  }
}
