/**
 * The keys with the highest rates out of any number of keys, with state for each, in a fixed number
 * of slots; and a table of blocked keys.
 */
@NullMarked
package io.heatshield.contest;

import org.jspecify.annotations.NullMarked;
