/** The rate limiter: decides requests by rules and counters, and keeps statistics. */
@NullMarked
package io.heatshield.limit.limiter;

import org.jspecify.annotations.NullMarked;
