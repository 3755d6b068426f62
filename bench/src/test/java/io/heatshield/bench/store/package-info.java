/** Stores with their guard and without, side by side. */
@NullMarked
package io.heatshield.bench.store;

import org.jspecify.annotations.NullMarked;
