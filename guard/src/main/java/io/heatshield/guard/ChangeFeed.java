package io.heatshield.guard;

/**
 * Reports which changes by other writers of a backend have been delivered.
 *
 * <p>Any thread may call any method.
 */
@FunctionalInterface
public interface ChangeFeed {
  /** The feed of a backend without other writers, or whose other writers are tolerated. */
  ChangeFeed ALWAYS = () -> true;

  /** Returns whether every change is being delivered at present. */
  boolean isDelivering();

  /** Returns a mark of this moment. */
  default long mark() {
    return 0;
  }

  /** Returns whether every change that was made before a mark was taken has been delivered. */
  default boolean hasPassed(long mark) {
    return true;
  }
}
