/** The rate limiter: decides requests by rules and counters, and counts what it decided. */
@NullMarked
package io.heatshield.limit.limiter;

import org.jspecify.annotations.NullMarked;
