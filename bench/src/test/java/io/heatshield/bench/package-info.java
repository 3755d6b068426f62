/** Benchmarks of Heatshield's structures, with rivals in the same run on the same keys. */
@NullMarked
package io.heatshield.bench;

import org.jspecify.annotations.NullMarked;
