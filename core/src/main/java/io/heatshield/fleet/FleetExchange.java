package io.heatshield.fleet;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The shared storage through which the nodes of a fleet exchange snapshots, views and the turn to
 * merge.
 *
 * <p>Each method blocks until the reply arrives, for a bounded time. Nothing relies on two calls
 * being atomic, or on a reply still being true when it arrives.
 */
public interface FleetExchange {

  /**
   * Returns the fleet's secret, which is the proposed one if there was none.
   *
   * @throws FleetExchangeException if there is no answer; so do all methods
   */
  byte[] secret(byte[] proposal);

  /** What came of a publication. */
  enum Place {
    /** The roster is full, and the node is not in it. */
    NONE,
    /** The node was in the roster. */
    KEPT,
    /** The node was not in the roster, and is now. */
    NEW
  }

  /** Leaves a snapshot for as long as said, and its number in the roster. */
  Place publish(String node, long sequence, byte[] snapshot, Duration life);

  /** Removes nodes and their snapshots. */
  void forget(Collection<String> nodes);

  /** Returns the nodes with the numbers of their last snapshots. */
  Map<String, Long> roster();

  /** Returns what nodes left; one whose snapshot has ended is not in it. */
  Map<String, byte[]> read(Collection<String> nodes);

  /** Returns whose turn it is to merge: this node's, for as long as said, if it is nobody's. */
  String turn(String node, Duration life);

  /** Leaves a view for as long as said. */
  void show(byte[] view, Duration life);

  /**
   * Returns the view that was left last; null if there is none.
   *
   * @param known a view that the caller has, which is returned if it is still that one
   */
  byte @Nullable [] view(byte @Nullable [] known);
}
