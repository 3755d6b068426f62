/** Races of the counting structures, and variants with a known race that the tests must find. */
@NullMarked
package io.heatshield.stress;

import org.jspecify.annotations.NullMarked;
