package io.heatshield.fleet;

import io.heatshield.detect.StoredKey;

/**
 * A key that a node lists by name.
 *
 * @param key the key, or the beginning of a long one
 * @param estimate its touches in the node's window, never below the true number
 * @param guaranteed touches counted exactly, never above the true number
 */
public record ListedKey(StoredKey key, long estimate, long guaranteed) {}
