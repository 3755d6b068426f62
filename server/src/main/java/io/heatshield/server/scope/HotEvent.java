package io.heatshield.server.scope;

import io.heatshield.detect.KeyReport;
import java.time.Instant;

/**
 * A key that turned hot, or that has cooled.
 *
 * @param hot whether it turned hot
 * @param scope where the key lives
 * @param key what was known about it at that moment
 * @param at when that was
 */
public record HotEvent(boolean hot, String scope, KeyReport key, Instant at) {}
