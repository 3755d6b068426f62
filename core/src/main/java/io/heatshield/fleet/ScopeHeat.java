package io.heatshield.fleet;

import io.heatshield.detect.DetectorSettings;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.detect.WindowCounts;
import java.util.List;

/**
 * The counts of one node in one scope over its last window.
 *
 * @param scope the scope's name
 * @param windowMillis the length of the window
 * @param hotAt the touches in a window that make a key hot
 * @param coolBelow the touches in a window below which a hot key becomes cool
 * @param floor the approximate estimate from which on a key is listed; 1 while there is room
 * @param counts counters that can estimate any key
 * @param keys the keys with the highest estimates, highest first
 */
public record ScopeHeat(
    String scope,
    long windowMillis,
    long hotAt,
    long coolBelow,
    long floor,
    WindowCounts counts,
    List<ListedKey> keys) {
  /** The maximum counters of a scope; a wider sketch is folded. */
  public static final int MAX_CELLS = 1 << 16;

  /** The maximum number of listed keys of a scope. */
  public static final int MAX_KEYS = 1024;

  /** Returns the current counts of a detector. */
  public static ScopeHeat of(String scope, HotKeyDetector detector) {
    DetectorSettings settings = detector.settings();
    long hotAt = settings.hotAt();
    return new ScopeHeat(
        scope,
        settings.window().toMillis(),
        hotAt,
        Math.max(1, (long) Math.ceil(hotAt * settings.exit())),
        detector.floor(),
        detector.counts(MAX_CELLS),
        detector.top(MAX_KEYS).stream()
            .map(key -> new ListedKey(key.key(), key.estimate(), key.guaranteed()))
            .toList());
  }

  /** Returns why another node's counts of this scope are incompatible, or an empty text. */
  String differs(ScopeHeat other) {
    if (!counts.isLike(other.counts)) {
      return "its sketch is " + shape(other.counts) + ", the fleet's is " + shape(counts);
    }
    if (windowMillis != other.windowMillis) {
      return "its window is " + other.windowMillis + " ms, the fleet's is " + windowMillis + " ms";
    }
    return "";
  }

  private static String shape(WindowCounts counts) {
    return counts.width() + " x " + counts.depth();
  }
}
