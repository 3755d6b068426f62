package io.heatshield.filter;

import java.util.function.Consumer;

/** Creates key sources from a function that performs the scan. */
final class KeySources {
  private KeySources() {}

  static KeySource scan(boolean snapshot, long expected, Consumer<KeySink> scan) {
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
      public void scan(KeySink sink) {
        scan.accept(sink);
      }
    };
  }
}
