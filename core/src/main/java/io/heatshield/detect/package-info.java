/** Detects the keys that exceed a rate, out of any number of keys, in bounded memory. */
@NullMarked
package io.heatshield.detect;

import org.jspecify.annotations.NullMarked;
