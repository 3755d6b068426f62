package io.heatshield.store.stats;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A call to an engine that has not ended.
 *
 * @param thread the thread that makes it, or null if no thread waits for the engine's reply
 * @param running how long it has been running at least
 */
public record RunningCall(@Nullable Thread thread, Duration running) {}
