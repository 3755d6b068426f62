package io.heatshield.insight.explain;

import java.util.List;
import java.util.Optional;

/** What the part of the server that a scope's keys come through knows about each of them. */
public interface KeySource {
  /** A scope whose keys are only counted. */
  KeySource COUNTED =
      new KeySource() {
        @Override
        public WayIn way() {
          return WayIn.COUNTED;
        }

        @Override
        public Optional<KeyUses> uses(byte[] key) {
          return Optional.empty();
        }

        @Override
        public List<KeyEffect> effects(byte[] key) {
          return List.of();
        }
      };

  /** Returns the part of the server that the keys come through. */
  WayIn way();

  /** Returns how a hot key is used, if that is recorded. */
  Optional<KeyUses> uses(byte[] key);

  /** Returns the actions that were applied to a hot key. */
  List<KeyEffect> effects(byte[] key);
}
