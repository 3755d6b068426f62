/** Counters in Redis, shared by all processes, and the fallback for when Redis fails. */
@NullMarked
package io.heatshield.limit.redis;

import org.jspecify.annotations.NullMarked;
