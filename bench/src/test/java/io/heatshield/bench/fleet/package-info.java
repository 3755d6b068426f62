/** Benchmarks of a fleet's costs. */
@NullMarked
package io.heatshield.bench.fleet;

import org.jspecify.annotations.NullMarked;
