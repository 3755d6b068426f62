/** What clients see of a Redis whose master changes, through Heatshield and by other clients. */
@NullMarked
package io.heatshield.bench.failover;

import org.jspecify.annotations.NullMarked;
