/** Benchmarks of a change of the Redis master, through Heatshield and by other clients. */
@NullMarked
package io.heatshield.bench.failover;

import org.jspecify.annotations.NullMarked;
