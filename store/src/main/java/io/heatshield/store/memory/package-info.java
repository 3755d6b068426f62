/** The engine that holds a store's data in this process. */
@NullMarked
package io.heatshield.store.memory;

import org.jspecify.annotations.NullMarked;
