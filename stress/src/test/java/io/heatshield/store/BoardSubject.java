package io.heatshield.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.HashSet;
import java.util.Set;

/**
 * What the races of loads and writes run on: the board of a store and one kept value, or with
 * {@code -P broken} a set that is replaced without looking whether it is still the same.
 *
 * <p>Keys are 0 to 2; 0 and 1 have the same place.
 */
public abstract class BoardSubject {
  private static final VarHandle ENGINE;

  static {
    try {
      ENGINE = MethodHandles.lookup().findVarHandle(BoardSubject.class, "engine", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile int kept;

  /** What the engine holds: 0, or 1 after a write. */
  @SuppressWarnings("UnusedVariable") // Read and written through ENGINE.
  private int engine;

  /** Returns an empty one. */
  public static BoardSubject create() {
    return Boolean.getBoolean("stress.broken") ? new Naive() : new Real();
  }

  /** Puts a flight of a key up and returns true, unless one is. */
  public abstract boolean put(int key);

  /** Takes the flight of a key off, if one is up. */
  public abstract void drop(int key);

  /** Keeps what the last flight of a key that was put up brings, if it may, and takes it off. */
  public abstract void land(int key);

  /** Loads a key and keeps what it held if that is the old value. */
  public final void load(int key) {
    if (put(key) && (int) ENGINE.getOpaque(this) == 0) {
      land(key);
    }
  }

  /**
   * Writes to the engine, drops the flight of a key, and then what is kept. The engine orders no
   * more than it must.
   */
  public final void write(int key) {
    ENGINE.setRelease(this, 1);
    drop(key);
    kept = 0;
  }

  /** Returns 1 if something is kept, else 0. */
  public final int kept() {
    return kept;
  }

  final void keep() {
    kept = 1;
  }

  private static final class Real extends BoardSubject {
    private static final long[] HASHES = {1, 2, 1L << 40};

    private final Board board = new Board();
    private final Board.Flight[] last = new Board.Flight[HASHES.length];

    @Override
    public boolean put(int key) {
      Board.Flight flight = new Board.Flight(named(key));
      if (board.put(flight) != null) {
        return false;
      }
      last[key] = flight;
      return true;
    }

    @Override
    public void drop(int key) {
      board.drop(named(key));
    }

    @Override
    public void land(int key) {
      last[key].keep(this::keep);
      board.remove(last[key]);
    }

    private static Key named(int key) {
      return new Key(new byte[] {(byte) key}, HASHES[key]);
    }
  }

  private static final class Naive extends BoardSubject {
    private volatile Set<Integer> up = Set.of();

    @Override
    public boolean put(int key) {
      var next = new HashSet<>(up);
      boolean added = next.add(key);
      up = next;
      return added;
    }

    @Override
    public void drop(int key) {
      var next = new HashSet<>(up);
      next.remove(key);
      up = next;
    }

    @Override
    public void land(int key) {
      if (up.contains(key)) {
        keep();
      }
      drop(key);
    }
  }
}
