/** Guarded stores: key-value engines protected from absent keys, hot reads and hot writes. */
@NullMarked
package io.heatshield.store;

import org.jspecify.annotations.NullMarked;
