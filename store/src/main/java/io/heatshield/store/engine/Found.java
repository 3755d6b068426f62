package io.heatshield.store.engine;

/**
 * A key that a scan came across.
 *
 * @param key the key
 * @param type the type of its value
 * @param expiresAt the end of its value, or {@link Value#NEVER}
 */
@SuppressWarnings("ArrayRecordComponent") // Handed on once, never compared.
public record Found(byte[] key, byte type, long expiresAt) {}
