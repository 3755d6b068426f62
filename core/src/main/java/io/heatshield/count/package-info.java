/** Counting what happens. */
@NullMarked
package io.heatshield.count;

import org.jspecify.annotations.NullMarked;
