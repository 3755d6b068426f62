/** Statistics and reports of a store. */
@NullMarked
package io.heatshield.store.stats;

import org.jspecify.annotations.NullMarked;
