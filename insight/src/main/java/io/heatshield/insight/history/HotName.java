package io.heatshield.insight.history;

/**
 * A key, or all keys with a prefix, in a scope.
 *
 * @param key the printable form
 * @param keyHash the label that logs and metrics have for it
 * @param prefix whether it stands for all keys that begin so
 */
public record HotName(String scope, String key, String keyHash, boolean prefix) {}
