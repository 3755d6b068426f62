/** Counters of rate limits: their keys, and the interface of the backends that store them. */
@NullMarked
package io.heatshield.limit.counter;

import org.jspecify.annotations.NullMarked;
