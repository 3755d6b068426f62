/** Script calls: queues, pipelines, deadlines and the circuit breaker of each server. */
@NullMarked
package io.heatshield.redis.command;

import org.jspecify.annotations.NullMarked;
