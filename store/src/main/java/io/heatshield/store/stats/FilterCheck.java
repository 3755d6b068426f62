package io.heatshield.store.stats;

/**
 * The result of checking one key in the filter and in the engine.
 *
 * @param filterSaysPresent false if the filter says that the key is absent
 * @param trusted whether the filter has every key now
 * @param actuallyExists whether the engine has the key, and it has not expired
 */
public record FilterCheck(boolean filterSaysPresent, boolean trusted, boolean actuallyExists) {

  /** Returns whether the filter says that an absent key is present. */
  public boolean falsePositive() {
    return filterSaysPresent && !actuallyExists;
  }
}
