package io.heatshield.detect;

/**
 * Called when a key turns hot and when it has cooled.
 *
 * <p>Each change is reported exactly once, by the thread that detected it, with no lock held. For
 * one key the calls alternate and never overlap: a key cools only after {@link #turnedHot} has
 * returned. Exceptions are counted in {@link DetectorStats#listenerFaults} and never reach the
 * caller of a touch.
 */
public interface HotKeyListener {
  /** A listener that does nothing. */
  HotKeyListener NONE = new HotKeyListener() {};

  /** Called when a key became {@code HOT} or {@code EARLY}. */
  default void turnedHot(KeyReport key) {}

  /** Called when a hot key fell below the exit rate, was not touched, or became uncertain. */
  default void cooled(KeyReport key) {}
}
