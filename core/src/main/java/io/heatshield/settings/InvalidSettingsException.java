package io.heatshield.settings;

import java.util.List;

/** Thrown for invalid settings, with every fault. */
public final class InvalidSettingsException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  @SuppressWarnings("serial") // A list of strings made by List.copyOf.
  private final List<String> faults;

  /** Creates an exception whose message lists the faults. */
  public InvalidSettingsException(List<String> faults) {
    super(String.join("; ", faults));
    this.faults = List.copyOf(faults);
  }

  /** Returns one sentence for each fault, {@code <name> must be <rule>: <value>}. */
  public List<String> faults() {
    return faults;
  }
}
