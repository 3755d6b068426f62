package io.heatshield.contest;

import org.jspecify.annotations.Nullable;

/**
 * The entries of a stripe in the order of their last touches, to within a stated grain.
 *
 * <p>Whoever calls it holds the lock of the stripe. An entry that is touched again within the grain
 * keeps its place: busy entries, which are most touches, then cost no write to their neighbours.
 */
final class Recency {
  private final long grainNanos;
  private @Nullable Tracked oldest;
  private @Nullable Tracked newest;

  Recency(long grainNanos) {
    this.grainNanos = grainNanos;
  }

  /** Returns the entry whose last touch is the oldest, to within the grain; null if none is. */
  @Nullable Tracked oldest() {
    return oldest;
  }

  void touched(Tracked entry, long now) {
    if (now - entry.ordered > grainNanos) {
      remove(entry);
      add(entry, now);
    }
  }

  void add(Tracked entry, long now) {
    Tracked before = newest;
    entry.ordered = now;
    entry.older = before;
    entry.newer = null;
    newest = entry;
    if (before == null) {
      oldest = entry;
    } else {
      before.newer = entry;
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
