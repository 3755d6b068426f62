package io.heatshield.contest;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A linked list of a stripe's entries, from the least to the most recently touched.
 *
 * <p>The order is exact only for touches that are more than {@code toleranceNanos} apart: an entry
 * that is touched again within that time stays where it is. So a touch of a busy entry, which most
 * touches are, does not write to the neighbours of the entry. The caller holds the stripe's lock.
 */
final class LruList {
  private final long toleranceNanos;
  private @Nullable Tracked oldest;
  private @Nullable Tracked newest;

  LruList(long toleranceNanos) {
    this.toleranceNanos = toleranceNanos;
  }

  /** Returns the least recently touched entry of a list that is not empty. */
  Tracked leastRecentlyTouched() {
    return Objects.requireNonNull(oldest);
  }

  /** Moves a touched entry to the end of the list, unless it was moved a short time ago. */
  void touched(Tracked entry, long now) {
    if (now - entry.listedAt > toleranceNanos) {
      remove(entry);
      add(entry, now);
    }
  }

  void add(Tracked entry, long now) {
    Tracked previous = newest;
    entry.listedAt = now;
    entry.older = previous;
    entry.newer = null;
    newest = entry;
    if (previous == null) {
      oldest = entry;
    } else {
      previous.newer = entry;
    }
  }

  void remove(Tracked entry) {
    Tracked older = entry.older;
    Tracked newer = entry.newer;
    if (older == null) {
      oldest = newer;
    } else {
      older.newer = newer;
    }
    if (newer == null) {
      newest = older;
    } else {
      newer.older = older;
    }
    entry.older = null;
    entry.newer = null;
  }
}
