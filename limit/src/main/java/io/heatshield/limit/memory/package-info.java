/** The rate limiter for one process, and counters of rate limits in memory. */
@NullMarked
package io.heatshield.limit.memory;

import org.jspecify.annotations.NullMarked;
