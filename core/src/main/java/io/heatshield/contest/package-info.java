/**
 * The worst offenders out of an unbounded stream of keys, with state, in a fixed number of slots.
 */
@NullMarked
package io.heatshield.contest;

import org.jspecify.annotations.NullMarked;
