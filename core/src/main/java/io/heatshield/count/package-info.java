/** A counter for sums that every call adds to. */
@NullMarked
package io.heatshield.count;

import org.jspecify.annotations.NullMarked;
