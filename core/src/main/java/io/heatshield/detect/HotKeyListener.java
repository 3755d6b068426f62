package io.heatshield.detect;

/**
 * What a detector tells when a key turns hot and when it has cooled.
 *
 * <p>Each turn is told exactly once, on the thread that noticed it, with no lock held. For one key
 * the calls alternate and never overlap: a key cools only after {@link #turnedHot} has returned. An
 * exception ends in {@link DetectorStats#listenerFaults} and never reaches who touched the key.
 */
public interface HotKeyListener {
  /** A listener that does nothing. */
  HotKeyListener NONE = new HotKeyListener() {};

  /** Is called when a key became {@code HOT} or {@code EARLY}. */
  default void turnedHot(KeyReport key) {}

  /** Is called when a hot key fell below the exit rate, was silent, or is no longer certain. */
  default void cooled(KeyReport key) {}
}
