/** Cuckoo filters: sets that need a few bits per key and report absent keys with certainty. */
@NullMarked
package io.heatshield.filter;

import org.jspecify.annotations.NullMarked;
