/** Estimates the counts of any number of keys in fixed memory. */
@NullMarked
package io.heatshield.sketch;

import org.jspecify.annotations.NullMarked;
