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
   * @throws FleetExchangeException if there is no reply; all other methods throw it too
   */
  byte[] secret(byte[] proposal);

  /** The result of a publication. */
  enum Place {
    /** The roster is full, and the node is not in it. */
    NONE,
    /** The node was in the roster. */
    KEPT,
    /** The node was not in the roster, and is now. */
    NEW
  }

  /** Stores a snapshot with a time to live, and its number in the roster. */
  Place publish(String node, long sequence, byte[] snapshot, Duration life);

  /** Removes nodes and their snapshots. */
  void forget(Collection<String> nodes);

  /** Returns the nodes with the numbers of their last snapshots. */
  Map<String, Long> roster();

  /** Returns the snapshots of nodes, without those that have expired. */
  Map<String, byte[]> read(Collection<String> nodes);

  /** Returns the node whose turn it is to merge; takes the turn for a time if it is free. */
  String turn(String node, Duration life);

  /** Stores a view with a time to live. */
  void show(byte[] view, Duration life);

  /**
   * Returns the view that was stored last; null if there is none.
   *
   * @param known the view that the caller has, which is returned if it is still current
   */
  byte @Nullable [] view(byte @Nullable [] known);
}
