package io.heatshield.data.command;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The tables of the busiest clients, as HS.TOUCH, HS.TOP and HS.BLOCKED use them. */
public interface TableAccess {
  /** A server without tables. */
  TableAccess NONE =
      new TableAccess() {
        @Override
        public Optional<Long> touch(String table, byte[] key, long weight, byte @Nullable [] of) {
          return Optional.empty();
        }

        @Override
        public Optional<List<Entry>> top(String table, int n) {
          return Optional.empty();
        }

        @Override
        public Optional<Long> blockedMillis(String table, byte[] key) {
          return Optional.empty();
        }
      };

  /**
   * One of the busiest.
   *
   * @param key the key, printable
   * @param rate its touches per second
   * @param distinct how many different values it was touched with, or -1 if that is not counted
   */
  record Entry(String key, double rate, long distinct) {}

  /**
   * Counts a use of a key in a table.
   *
   * @param of what the key was used on, counted as a distinct value, or null
   * @return the milliseconds that the key is blocked for, 0 if it is not; empty if there is no such
   *     table
   */
  Optional<Long> touch(String table, byte[] key, long weight, byte @Nullable [] of);

  /** Returns the busiest keys of a table, busiest first; empty if there is no such table. */
  Optional<List<Entry>> top(String table, int n);

  /** Returns how long a key is blocked, 0 if it is not; empty if there is no such table. */
  Optional<Long> blockedMillis(String table, byte[] key);
}
