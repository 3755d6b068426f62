/** Counters of rate limits: their names, and the interface of every backend that counts. */
@NullMarked
package io.heatshield.limit.counter;

import org.jspecify.annotations.NullMarked;
