package io.heatshield.detect;

import io.heatshield.settings.Faults;
import io.heatshield.settings.InvalidSettingsException;
import java.util.Objects;
import java.util.function.Function;

/** Builds a {@link Scopes}. Not thread-safe. */
public final class ScopesBuilder {
  private int maxScopes = 64;
  private Function<String, HotKeyDetector> maker = scope -> HotKeyDetector.builder().build();

  ScopesBuilder() {}

  /** Sets the number of scopes that may have a detector; 64 by default. */
  public ScopesBuilder maxScopes(int scopes) {
    maxScopes = scopes;
    return this;
  }

  /** Sets the function that creates the detector of a scope; by default one with the defaults. */
  public ScopesBuilder detectors(Function<String, HotKeyDetector> create) {
    maker = Objects.requireNonNull(create, "create");
    return this;
  }

  /**
   * Returns a registry without scopes.
   *
   * @throws InvalidSettingsException if settings are invalid
   */
  public Scopes build() {
    var faults = new Faults();
    faults.check(maxScopes >= 1, "maxScopes must be at least 1", maxScopes);
    faults.throwIfAny();
    return new Scopes(maxScopes, maker);
  }
}
