/** Hash functions: one keyed hash per touch, and the unkeyed one that names a key in labels. */
@NullMarked
package io.heatshield.hash;

import org.jspecify.annotations.NullMarked;
