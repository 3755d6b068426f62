package io.heatshield.fleet;

import java.util.List;

/**
 * A scope with the counts of the whole fleet.
 *
 * @param scope the scope's name
 * @param windowMillis the length of the window
 * @param hotAt the touches in a window that make a key hot
 * @param nodes the number of nodes whose windows are included
 * @param touches all touches in those windows
 * @param errorBound the maximum by which any estimate is too high, with the sketch's confidence
 * @param distinct the approximate number of distinct keys
 * @param atLeast whether there may be many more keys, or touches of a key, than could be counted
 * @param unlistedBelow the approximate maximum touches of a key that no node lists by name
 * @param hot the number of hot keys
 * @param uncertain the number of keys that may be hot only because of the sketches' error
 * @param keys the keys with the highest estimates, highest first
 */
public record FleetScope(
    String scope,
    long windowMillis,
    long hotAt,
    int nodes,
    long touches,
    long errorBound,
    long distinct,
    boolean atLeast,
    long unlistedBelow,
    int hot,
    int uncertain,
    List<FleetKey> keys) {
  /** The maximum number of keys of a scope. */
  public static final int MAX_KEYS = 128;

  /** Returns whether the error bound reaches the threshold: the sketches are too narrow. */
  public boolean overloaded() {
    return errorBound >= hotAt;
  }

  /** Returns whether every key that is hot in the fleet is listed by name on some node. */
  public boolean complete() {
    return unlistedBelow < hotAt;
  }
}
