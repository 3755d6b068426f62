/** Counts of unboundedly many keys in fixed memory, by their hashes. */
@NullMarked
package io.heatshield.sketch;

import org.jspecify.annotations.NullMarked;
