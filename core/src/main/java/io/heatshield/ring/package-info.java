/** A bounded table that counts keys exactly over sliding windows, and limits their calls. */
@NullMarked
package io.heatshield.ring;

import org.jspecify.annotations.NullMarked;
