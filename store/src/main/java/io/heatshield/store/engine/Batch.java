package io.heatshield.store.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes that an engine makes atomically.
 *
 * @param changes the changes, each key once
 * @param expected the values that keys must have, each key once; checked only by engines that have
 *     other writers
 */
public record Batch(List<Change> changes, List<Expected> expected) {

  /**
   * The change of one key.
   *
   * @param key the key
   * @param after the new value, or null to delete the key
   * @param hot whether the key is written often; engines that support routing move it
   */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  public record Change(byte[] key, @Nullable Value after, boolean hot) {}

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
    return new Batch(List.of(new Change(key, after, false)), List.of());
  }
}
