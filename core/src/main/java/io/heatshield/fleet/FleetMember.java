package io.heatshield.fleet;

/**
 * A node as the fleet knows it.
 *
 * @param node its name
 * @param state whether its numbers are in the answer
 * @param ageMillis how long ago its last snapshot was seen first
 * @param why what is amiss: with the node, or with what it publishes; empty if nothing is
 * @param sequence the number of its last snapshot; 0 if none was seen
 */
public record FleetMember(String node, State state, long ageMillis, String why, long sequence) {

  /** Whether a node's numbers are in the answer. */
  public enum State {
    /** They are, and they are fresh. */
    LIVE,
    /** They are, but the node has not published for two intervals. */
    LATE,
    /** They are not: it has not published for three intervals. */
    MISSING,
    /** They are not, or not those of every scope: they cannot be added to the others'. */
    REFUSED,
    /** They are not: Redis lost them, and the node has not published again yet. */
    LOST
  }
}
