/** The calls of a store to its engine: chained stages, and a watch for calls that hang. */
@NullMarked
package io.heatshield.store.call;

import org.jspecify.annotations.NullMarked;
