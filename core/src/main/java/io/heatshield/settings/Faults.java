package io.heatshield.settings;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Collects the faults of settings while a builder checks them. Not thread-safe. */
public final class Faults {
  private final List<String> faults = new ArrayList<>();

  /** Begins a check that has found no fault yet. */
  public Faults() {}

  /**
   * Adds a fault unless a rule holds.
   *
   * @param rule the name and the rule, as in {@code panes must be 1 to 64}
   */
  public void check(boolean holds, String rule, Object value) {
    if (!holds) {
      add(rule + ": " + value);
    }
  }

  /** Adds a fault unless a value is within a range; both ends are allowed. */
  public void checkRange(String name, long value, long min, long max) {
    check(value >= min && value <= max, name + " must be " + min + " to " + max, value);
  }

  /** Adds a fault unless a duration is within a range; both ends are allowed. */
  public void checkRange(String name, Duration value, Duration min, Duration max) {
    boolean holds = value.compareTo(min) >= 0 && value.compareTo(max) <= 0;
    check(holds, name + " must be " + min + " to " + max, value);
  }

  /** Adds a fault. */
  public void add(String fault) {
    faults.add(fault);
  }

  /** Adds all faults that were collected elsewhere. */
  public void addAll(Faults others) {
    faults.addAll(others.faults);
  }

  /** Returns whether there is no fault. */
  public boolean isEmpty() {
    return faults.isEmpty();
  }

  /**
   * Throws if there is a fault.
   *
   * @throws InvalidSettingsException with every fault
   */
  public void throwIfAny() {
    if (!faults.isEmpty()) {
      throw new InvalidSettingsException(faults);
    }
  }
}
