/** Hash functions: keyed ones for counting, and an unkeyed one for the names of keys in labels. */
@NullMarked
package io.heatshield.hash;

import org.jspecify.annotations.NullMarked;
