/**
 * Guarded stores: what keeps absent keys, hot reads and hot writes from hurting a key-value engine,
 * and what an engine must do.
 */
@NullMarked
package io.heatshield.store;

import org.jspecify.annotations.NullMarked;
