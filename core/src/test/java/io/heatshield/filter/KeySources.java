package io.heatshield.filter;

import java.util.function.Consumer;
import java.util.function.LongPredicate;

/** Creates key sources from a function that performs the scan. */
final class KeySources {
  private KeySources() {}

  static KeySource scan(boolean snapshot, long expected, Consumer<LongPredicate> scan) {
    return new KeySource() {
      @Override
      public long expectedItems() {
        return expected;
      }

      @Override
      public boolean snapshot() {
        return snapshot;
      }

      @Override
      public void scan(LongPredicate sink) {
        scan.accept(sink);
      }
    };
  }
}
