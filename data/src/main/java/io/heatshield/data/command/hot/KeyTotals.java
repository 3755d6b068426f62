package io.heatshield.data.command.hot;

import io.heatshield.hash.KeyHash;
import io.heatshield.key.KeyForm;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The keys with the largest totals, by Space-Saving.
 *
 * <p>When all places are taken, a new key replaces the one with the least total and inherits that
 * total, which is not reported. So a reported total is never above the true one, and exact while
 * there are no more keys than places. For one thread at a time.
 */
final class KeyTotals {
  /** A key, or the beginning of a long one, and its total. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record Total(byte[] key, long total) {}

  private final int places;
  private final KeyHash hash;
  private final Map<Name, Place> byName = new HashMap<>();
  private final TreeSet<Place> least =
      new TreeSet<>(
          Comparator.<Place>comparingLong(place -> place.total)
              .thenComparingLong(place -> place.turn));
  private long turns;
  private long sum;

  KeyTotals(int places, KeyHash hash) {
    this.places = places;
    this.hash = hash;
  }

  void add(byte[] key, long amount) {
    sum += amount;
    var name = new Name(KeyForm.BYTES.store(key, hash), hash.hash(key));
    Place place = byName.get(name);
    if (place != null) {
      least.remove(place);
    } else if (byName.size() < places) {
      place = new Place(name, 0);
      byName.put(name, place);
    } else {
      Place last = least.first();
      least.remove(last);
      byName.remove(last.name);
      place = new Place(name, last.total);
      byName.put(name, place);
    }
    place.total += amount;
    place.turn = turns++;
    least.add(place);
  }

  /** Returns the sum of all amounts. */
  long sum() {
    return sum;
  }

  List<Total> top(int most) {
    return byName.values().stream()
        .map(place -> new Total(KeyForm.visible(place.name.stored), place.total - place.behind))
        .filter(total -> total.total > 0)
        .sorted(Comparator.comparingLong(Total::total).reversed())
        .limit(most)
        .toList();
  }

  private static final class Place {
    final Name name;
    final long behind;
    long total;
    long turn;

    Place(Name name, long behind) {
      this.name = name;
      this.behind = behind;
      this.total = behind;
    }
  }

  /** A stored key with its keyed hash, so that clients cannot provoke collisions. */
  @SuppressWarnings("ArrayRecordComponent") // Compared by content below.
  private record Name(byte[] stored, long hashed) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Name that
          && hashed == that.hashed
          && Arrays.equals(stored, that.stored);
    }

    @Override
    public int hashCode() {
      return Long.hashCode(hashed);
    }
  }
}
