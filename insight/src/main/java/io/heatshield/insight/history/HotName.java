package io.heatshield.insight.history;

/**
 * A key or a prefix of a scope.
 *
 * @param key the printable form
 * @param keyHash its label in logs and metrics
 * @param prefix whether it is a prefix, which means all keys that start with it
 */
public record HotName(String scope, String key, String keyHash, boolean prefix) {}
