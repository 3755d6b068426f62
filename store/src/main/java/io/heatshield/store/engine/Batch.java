package io.heatshield.store.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes that an engine makes as a whole or not at all.
 *
 * @param changes what to do, each key once
 * @param expected what keys must hold for that, each key once; checked only by engines that have
 *     other writers
 */
public record Batch(List<Change> changes, List<Expected> expected) {

  /**
   * One key's change.
   *
   * @param key the key
   * @param after what it holds from now on, or null to delete it
   * @param hot whether the key is written often; engines that keep such keys apart move it
   */
  @SuppressWarnings("ArrayRecordComponent") // Handed on once, never compared.
  public record Change(byte[] key, @Nullable Value after, boolean hot) {}

  /**
   * What a key must hold.
   *
   * @param key the key
   * @param value what was seen, or null if nothing was there
   */
  @SuppressWarnings("ArrayRecordComponent") // Handed on once, never compared.
  public record Expected(byte[] key, @Nullable Value value) {}

  /** Returns a batch of one change without conditions. */
  public static Batch of(byte[] key, @Nullable Value after) {
    return new Batch(List.of(new Change(key, after, false)), List.of());
  }
}
