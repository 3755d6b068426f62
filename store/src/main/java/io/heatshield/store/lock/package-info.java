/** Locks that serialize the writes of one key. */
@NullMarked
package io.heatshield.store.lock;

import org.jspecify.annotations.NullMarked;
