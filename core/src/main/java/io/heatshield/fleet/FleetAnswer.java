package io.heatshield.fleet;

import org.jspecify.annotations.Nullable;

/**
 * A node's current knowledge of its fleet.
 *
 * @param view the fleet's view; null if only this node's own counts are known
 * @param ageMillis the time since the view was received
 * @param localOnly the reason why there is no view; empty if there is one
 */
public record FleetAnswer(@Nullable FleetView view, long ageMillis, String localOnly) {}
