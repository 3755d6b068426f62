/** The one way to Redis: a few connections with a time budget, a breaker and scripts. */
@NullMarked
package io.heatshield.redis;

import org.jspecify.annotations.NullMarked;
