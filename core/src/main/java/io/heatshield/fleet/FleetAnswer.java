package io.heatshield.fleet;

import org.jspecify.annotations.Nullable;

/**
 * What a node knows of its fleet at a moment.
 *
 * @param view what the fleet has counted; null if only this node's own numbers can be told
 * @param ageMillis how long ago the view was received
 * @param localOnly why there is no view; empty if there is one
 */
public record FleetAnswer(@Nullable FleetView view, long ageMillis, String localOnly) {}
