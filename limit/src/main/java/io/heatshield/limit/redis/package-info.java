/** Counters in Redis, shared by all processes, and what is done when Redis does not answer. */
@NullMarked
package io.heatshield.limit.redis;

import org.jspecify.annotations.NullMarked;
