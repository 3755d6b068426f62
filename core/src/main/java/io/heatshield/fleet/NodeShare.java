package io.heatshield.fleet;

/**
 * One node's count of a key.
 *
 * @param node the node's name
 * @param estimate the key's touches in the node's window, never below the true number
 */
public record NodeShare(String node, long estimate) {}
