/** What a store's engine must do, and how the store calls it. */
@NullMarked
package io.heatshield.store.engine;

import org.jspecify.annotations.NullMarked;
