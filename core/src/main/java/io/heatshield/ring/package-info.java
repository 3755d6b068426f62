/** Exact counts of the keys that a bounded table holds, over sliding windows, and the clamp. */
@NullMarked
package io.heatshield.ring;

import org.jspecify.annotations.NullMarked;
