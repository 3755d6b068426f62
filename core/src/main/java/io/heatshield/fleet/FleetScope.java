package io.heatshield.fleet;

import java.util.List;

/**
 * One scope as the whole fleet has counted it.
 *
 * @param scope the scope's name
 * @param windowMillis the length of the window
 * @param hotAt the touches in a window that make a key hot
 * @param nodes how many nodes' windows are in it
 * @param touches all touches in those windows
 * @param errorBound by how much any key's estimate may be too high, with the sketch's confidence
 * @param distinct about how many different keys the windows hold
 * @param atLeast whether there may be many more keys, or touches of one, than could be counted
 * @param unlistedBelow what a key can have at most, about, that no node keeps by name
 * @param hot how many keys are hot
 * @param uncertain how many keys may be hot by the sketches' error alone
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
  /** The most keys that are told of a scope. */
  public static final int MAX_KEYS = 128;

  /** Returns whether the error reaches the threshold: the sketches are too narrow for the fleet. */
  public boolean overloaded() {
    return errorBound >= hotAt;
  }

  /** Returns whether every key that is hot in the fleet is kept by name on some node. */
  public boolean complete() {
    return unlistedBelow < hotAt;
  }
}
