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
   * places[i]   null, a Flight, or an array of several whose keys have this place   read: volatile   replaced: CAS
   *
   * Two loads at a time seldom share a place, so a read writes one word of the board twice and allocates nothing but its
   * flight: the engine has the caches for itself in between, and every object met again after that is a miss. What is in a
   * place is never changed and never put there again, so a CAS that succeeds has found what it was made from.
   *
   * A drop takes the flight off, and then ends its keeping under the flight's monitor: nobody joins it from then on, and
   * a keep that was under way is over. Between what was written and the look for a flight stands a full fence: without it
   * both a load that has just been put up may read what was there before the write, and the write may not see that it is
   * up. Putting up is a CAS, which is one too. Pinned by BoardTest, BoardLincheckTest and BoardStress. See ADR-0063.
   */
  private static final int PLACES = 1 << 10;
  private static final VarHandle UP = MethodHandles.arrayElementVarHandle(Object[].class);

  private final @Nullable Object[] places = new @Nullable Object[PLACES];

  /** Puts a flight up and returns null, or returns the one of its key that is there. */
  @Nullable Flight put(Flight flight) {
    int place = place(flight.key);
    for (; ; ) {
      Object up = UP.getVolatile(places, place);
      Flight same = of(up, flight.key);
      if (same != null) {
        return same;
      }
      if (UP.compareAndSet(places, place, up, with(up, flight))) {
        return null;
      }
    }
  }

  /** Takes a flight off, unless somebody has. */
  void remove(Flight flight) {
    int place = place(flight.key);
    for (; ; ) {
      Object up = UP.getVolatile(places, place);
      boolean done =
          up == flight ? UP.compareAndSet(places, place, up, null) : isOff(place, up, flight);
      if (done) {
        return;
      }
    }
  }

  /** Takes the flight of a key off, if there is one, and lets it keep nothing from now on. */
  void drop(Key key) {
    VarHandle.fullFence();
    Flight flight = of(UP.getVolatile(places, place(key)), key);
    if (flight != null) {
      remove(flight);
      flight.drop();
    }
  }

  /** Drops all flights that are up. */
  void dropAll() {
    for (int place = 0; place < PLACES; place++) {
      Object up = UP.getAndSet(places, place, null);
      if (up instanceof Flight flight) {
        flight.drop();
      } else if (up instanceof Flight[] several) {
        Arrays.stream(several).forEach(Flight::drop);
      }
    }
  }

  private static int place(Key key) {
    return (int) (key.hash() >>> Integer.SIZE) & (PLACES - 1);
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
  private boolean isOff(int place, @Nullable Object up, Flight flight) {
    if (!(up instanceof Flight[] several) || !Arrays.asList(several).contains(flight)) {
      return true;
    }
    Flight[] left = Arrays.stream(several).filter(f -> f != flight).toArray(Flight[]::new);
    return UP.compareAndSet(places, place, up, left.length == 1 ? left[0] : left);
  }

  /** One load of a key: the answer that its caller and all who join it get. */
  static final class Flight extends CompletableFuture<@Nullable Value> {
    final Key key;
    private boolean dropped;

    Flight(Key key) {
      this.key = key;
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
