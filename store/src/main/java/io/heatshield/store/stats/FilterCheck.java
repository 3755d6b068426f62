package io.heatshield.store.stats;

/**
 * What filter and engine say of one key.
 *
 * @param filterSaysPresent false if the filter says that the key is absent
 * @param trusted whether the filter has every key at present
 * @param actuallyExists whether the engine holds it, and it has not ended
 */
public record FilterCheck(boolean filterSaysPresent, boolean trusted, boolean actuallyExists) {

  /** Returns whether the filter takes an absent key for present. */
  public boolean falsePositive() {
    return filterSaysPresent && !actuallyExists;
  }
}
