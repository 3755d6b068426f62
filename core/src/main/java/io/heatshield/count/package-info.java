/** Parts of several structures: a sum that every call adds to, and positions in a sketch. */
@NullMarked
package io.heatshield.count;

import org.jspecify.annotations.NullMarked;
