package io.heatshield.detect;

import io.heatshield.hash.KeyHash;
import io.heatshield.time.Ticker;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Finds hierarchical heavy hitters: prefixes whose keys are hot together although no key alone is.
 *
 * <p>A prefix ends in the separator. The first few prefixes of a key are counted, in one detector
 * of half the width for all levels, since the bytes of a prefix determine its level. The estimate
 * of a prefix is never below the touches of its keys. The guaranteed touches of every hot key and
 * of every longer hot prefix below it are subtracted, each touch once. The rest is never below the
 * touches that these do not explain, so no prefix is missed while it has a place in the table.
 *
 * <p>Each prefix of a key costs one more touch, and the key an allocation if it is not an array.
 */
final class PrefixRollup {
  private static final int MIN_WIDTH = 64;

  private final DetectorState prefixes;
  private final KeyHash keyHash;
  private final int levels;
  private final byte separator;

  PrefixRollup(DetectorSettings settings, KeyHash keyHash, Ticker ticker) {
    this.keyHash = keyHash;
    this.levels = settings.prefixLevels();
    this.separator = (byte) settings.prefixSeparator();
    this.prefixes =
        new DetectorState(settings(settings), ticker, new HotKeyListeners(key -> {}, key -> {}));
  }

  /** Returns the settings of the detector of prefixes, given those of the keys. */
  static DetectorSettings settings(DetectorSettings keys) {
    return HotKeyDetector.builder()
        .settings(keys)
        .prefixes(0, keys.prefixSeparator())
        .width(Math.max(MIN_WIDTH, keys.width() / 2))
        .toSettings();
  }

  /** Counts a touch of every prefix of a key, which is an array, a buffer or text. */
  void touch(Object key, long weight) {
    byte[] bytes = StoredKey.bytesOf(key);
    int level = 0;
    for (int i = 0; i < bytes.length && level < levels; i++) {
      if (bytes[i] == separator) {
        level++;
        long hash = keyHash.hash(bytes, 0, i + 1);
        prefixes.count(hash, ByteBuffer.wrap(bytes, 0, i + 1), 0, weight);
      }
    }
  }

  void reconfigure(Duration window, long threshold) {
    prefixes.reconfigure(window, threshold);
  }

  void maintain() {
    prefixes.maintain();
  }

  /** Returns the hot prefixes, given the hot keys. Longer prefixes are decided first. */
  List<HotPrefix> hot(List<KeyReport> hotKeys) {
    DetectorSettings settings = prefixes.settings();
    long hotAt = settings.hotAt();
    double perTouch = 1e9 / settings.window().toNanos();
    var found = new ArrayList<HotPrefix>();
    var explained = new ArrayList<Explained>();
    hotKeys.forEach(key -> explained.add(new Explained(key.key(), key.guaranteed())));
    List<KeyReport> reports =
        prefixes.top(Integer.MAX_VALUE).stream()
            .sorted(Comparator.comparingInt((KeyReport p) -> p.key().length()).reversed())
            .toList();
    for (KeyReport report : reports) {
      StoredKey prefix = report.key();
      // The keys of a prefix that was cut are not known.
      boolean whole = prefix.isWhole();
      List<Explained> below =
          explained.stream().filter(part -> whole && part.key().startsWith(prefix)).toList();
      long sum = below.stream().mapToLong(Explained::touches).sum();
      long unexplained = report.estimate() - Math.min(sum, report.estimate());
      if (unexplained >= hotAt) {
        double rate = unexplained * perTouch;
        found.add(new HotPrefix(prefix, report.estimate(), unexplained, report.error(), rate));
        if (whole) {
          explained.removeAll(below);
          explained.add(new Explained(prefix, Math.max(sum, report.guaranteed())));
        }
      }
    }
    found.sort(Comparator.comparingLong(HotPrefix::unexplained).reversed());
    return List.copyOf(found);
  }

  /** The touches of a hot key or prefix that are subtracted from the prefixes above it. */
  private record Explained(StoredKey key, long touches) {}
}
