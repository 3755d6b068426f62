/** Keys as opaque bytes, and the one way to show them to people. */
@NullMarked
package io.heatshield.key;

import org.jspecify.annotations.NullMarked;
