package io.heatshield.store.engine;

/**
 * A key that was found by a scan.
 *
 * @param key the key
 * @param type the type of its value
 * @param expiresAt when its value expires, or {@link Value#NEVER}
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record ScannedKey(byte[] key, byte type, long expiresAt) {}
