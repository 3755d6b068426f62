/** The contract of a store's engine, and the calls to it. */
@NullMarked
package io.heatshield.store.engine;

import org.jspecify.annotations.NullMarked;
