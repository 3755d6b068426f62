/** Benchmarks of stores with and without their guard. */
@NullMarked
package io.heatshield.bench.store;

import org.jspecify.annotations.NullMarked;
