/** Filters that say of a key "definitely absent" or "perhaps there", in a few bits per key. */
@NullMarked
package io.heatshield.filter;

import org.jspecify.annotations.NullMarked;
