package io.heatshield.insight.explain;

import java.util.List;
import java.util.Optional;

/** Provides the usage of the keys of one scope. */
public interface KeySource {
  /** A scope whose keys are only counted. */
  KeySource COUNTED = () -> ScopeKind.COUNTED;

  /** Returns the kind of the scope. */
  ScopeKind kind();

  /** Returns the usage of a hot key, if it is recorded. */
  default Optional<KeyUses> uses(byte[] key) {
    return Optional.empty();
  }

  /** Returns the actions that were applied to a hot key. */
  default List<KeyEffect> effects(byte[] key) {
    return List.of();
  }
}
