package io.heatshield.detect;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** The listeners of one detector; counts the exceptions that they throw. */
final class HotKeyListeners {
  private final Consumer<KeyReport> onHot;
  private final Consumer<KeyReport> onCool;
  private final LongAdder faults = new LongAdder();

  HotKeyListeners(Consumer<KeyReport> onHot, Consumer<KeyReport> onCool) {
    this.onHot = onHot;
    this.onCool = onCool;
  }

  void turnedHot(KeyReport key) {
    call(onHot, key);
  }

  void cooled(KeyReport key) {
    call(onCool, key);
  }

  /** Returns the number of exceptions that the listeners threw. */
  long faults() {
    return faults.sum();
  }

  private void call(Consumer<KeyReport> listener, KeyReport key) {
    try {
      listener.accept(key);
    } catch (RuntimeException e) {
      faults.increment();
    }
  }
}
