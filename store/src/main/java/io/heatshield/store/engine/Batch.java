package io.heatshield.store.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes that an engine makes atomically.
 *
 * @param changes the changes, each key once, at least one
 * @param expected the values that keys must have, each key once; only for engines that are not
 *     {@linkplain Engine.Location#isLocal local}
 */
public record Batch(List<Change> changes, List<Expected> expected) {

  /** The change of one key. */
  public static final class Change {
    private final byte[] key;
    private final @Nullable Value after;
    private final boolean hot;

    private Change(byte[] key, @Nullable Value after, boolean hot) {
      this.key = key;
      this.after = after;
      this.hot = hot;
    }

    /** Returns a change; a null value deletes the key. */
    public static Change of(byte[] key, @Nullable Value after) {
      return new Change(key, after, false);
    }

    /** Returns the key. */
    public byte[] key() {
      return key;
    }

    /** Returns the new value, or null to delete the key. */
    public @Nullable Value after() {
      return after;
    }

    /** Returns the change of the same key to another value. */
    Change with(@Nullable Value other) {
      return new Change(key, other, hot);
    }

    /** Returns this change, marked as of a key that is written often or not. */
    Change hot(boolean often) {
      return often == hot ? this : new Change(key, after, often);
    }

    boolean isHot() {
      return hot;
    }
  }

  /**
   * The value that a key must have.
   *
   * @param key the key
   * @param value the value that was read, or null if the key did not exist
   */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  public record Expected(byte[] key, @Nullable Value value) {}

  /** Returns a batch of one change without conditions. */
  public static Batch of(byte[] key, @Nullable Value after) {
    return new Batch(List.of(Change.of(key, after)), List.of());
  }
}
