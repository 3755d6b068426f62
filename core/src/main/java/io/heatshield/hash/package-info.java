/** Hash functions: keyed ones for counting, and an unkeyed one that names a key in labels. */
@NullMarked
package io.heatshield.hash;

import org.jspecify.annotations.NullMarked;
