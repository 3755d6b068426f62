/** What a store reports about itself. */
@NullMarked
package io.heatshield.store.stats;

import org.jspecify.annotations.NullMarked;
