package io.heatshield.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The loads in progress that others may join: at most one for each key.
 *
 * <p>Any thread may call. Putting a flight up and taking it off is atomic, and waits for nobody.
 * What a flight brings is {@linkplain Flight#keep kept} before it is {@linkplain #drop dropped},
 * and forgotten by who drops it, or not kept at all.
 */
final class Board {
  /*
   * Place.up   null, a Flight, or an array of several whose keys have this place   read: volatile   replaced: CAS
   *
   * Two loads at a time seldom share a place, so a read writes one word of the board twice and allocates nothing but its
   * flight, which knows its place: the engine has the caches for itself in between, and every object met again after
   * that is a miss. What is in a place is never changed and never put there again, so a CAS that succeeds has found what
   * it was made from.
   *
   * A drop takes the flight off, and then ends its keeping under the flight's monitor: nobody joins it from then on, and
   * a keep that was under way is over. Pinned by BoardTest, BoardLincheckTest and BoardStress. See ADR-0063.
   */
  private static final int PLACES = 1 << 10;
  private static final VarHandle UP;

  static {
    try {
      UP = MethodHandles.lookup().findVarHandle(Place.class, "up", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Place[] places = new Place[PLACES];

  Board() {
    Arrays.setAll(places, i -> new Place());
  }

  /** Returns a flight of a key, which is not up yet. */
  Flight flight(Key key) {
    return new Flight(key, place(key));
  }

  /** Puts a flight up and returns null, or returns the one of its key that is there. */
  static @Nullable Flight put(Flight flight) {
    Place place = flight.place;
    for (; ; ) {
      Object up = place.up;
      Flight same = of(up, flight.key);
      if (same != null) {
        return same;
      }
      if (UP.compareAndSet(place, up, with(up, flight))) {
        return null;
      }
    }
  }

  /** Takes a flight off, unless somebody has. */
  static void remove(Flight flight) {
    Place place = flight.place;
    for (; ; ) {
      Object up = place.up;
      boolean done = up == flight ? UP.compareAndSet(place, up, null) : isOff(place, up, flight);
      if (done) {
        return;
      }
    }
  }

  /** Takes the flight of a key off, if there is one, and lets it keep nothing from now on. */
  void drop(Key key) {
    Flight flight = of(place(key).up, key);
    if (flight != null) {
      remove(flight);
      flight.drop();
    }
  }

  /** Drops all flights that are up. */
  void dropAll() {
    for (Place place : places) {
      Object up = UP.getAndSet(place, null);
      if (up instanceof Flight flight) {
        flight.drop();
      } else if (up instanceof Flight[] several) {
        Arrays.stream(several).forEach(Flight::drop);
      }
    }
  }

  private Place place(Key key) {
    return places[(int) (key.hash() >>> Integer.SIZE) & (PLACES - 1)];
  }

  private static @Nullable Flight of(@Nullable Object up, Key key) {
    if (up instanceof Flight flight) {
      return flight.key.equals(key) ? flight : null;
    }
    if (up instanceof Flight[] several) {
      for (Flight flight : several) {
        if (flight.key.equals(key)) {
          return flight;
        }
      }
    }
    return null;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // Who put a flight up completes it.
  private static Object with(@Nullable Object up, Flight flight) {
    if (up == null) {
      return flight;
    }
    Flight[] several = up instanceof Flight other ? new Flight[] {other} : (Flight[]) up;
    Flight[] more = Arrays.copyOf(several, several.length + 1);
    more[several.length] = flight;
    return more;
  }

  /** Takes a flight out of several; returns whether it is not among them any more. */
  private static boolean isOff(Place place, @Nullable Object up, Flight flight) {
    if (!(up instanceof Flight[] several) || !Arrays.asList(several).contains(flight)) {
      return true;
    }
    Flight[] left = Arrays.stream(several).filter(f -> f != flight).toArray(Flight[]::new);
    return UP.compareAndSet(place, up, left.length == 1 ? left[0] : left);
  }

  /** Where the flights of some keys are put up. */
  private static final class Place {
    private volatile @Nullable Object up;
  }

  /** One load of a key: the answer that its caller and all who join it get. */
  static final class Flight extends CompletableFuture<@Nullable Value> {
    final Key key;
    private final Place place;
    private boolean dropped;

    private Flight(Key key, Place place) {
      this.key = key;
      this.place = place;
    }

    /** Keeps what the flight brings, unless it was dropped before; a drop waits for that. */
    synchronized void keep(Runnable keeping) {
      if (!dropped) {
        keeping.run();
      }
    }

    private synchronized void drop() {
      dropped = true;
    }
  }
}
