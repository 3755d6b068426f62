package io.heatshield.store.engine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A call to an engine that has not ended.
 *
 * @param thread the thread that makes it, or null if the engine answers later and no thread waits
 * @param running how long it has been running, as far as that was seen: never more than the truth
 */
public record RunningCall(@Nullable Thread thread, Duration running) {}
