package io.heatshield.fleet;

/**
 * A node of a fleet.
 *
 * @param node its name
 * @param state whether its counts are included in the view
 * @param ageMillis the time since its last snapshot was first seen
 * @param why a problem of the node or of its snapshots; empty if there is none
 * @param sequence the number of its last snapshot; 0 if none was seen
 */
public record FleetMember(String node, State state, long ageMillis, String why, long sequence) {

  /** The states of a node: its counts are included in the view, or the reason why not. */
  public enum State {
    /** Included and up to date. */
    LIVE,
    /** Included, but the node has not published for two intervals. */
    LATE,
    /** Not included: the node has not published for three intervals. */
    MISSING,
    /** Not included, or not for every scope: they are incompatible with those of the others. */
    REFUSED,
    /** Not included: Redis lost them, and the node has not published again yet. */
    LOST
  }
}
