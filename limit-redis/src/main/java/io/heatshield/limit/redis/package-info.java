/** Counters in Redis, shared by all processes. */
@NullMarked
package io.heatshield.limit.redis;

import org.jspecify.annotations.NullMarked;
