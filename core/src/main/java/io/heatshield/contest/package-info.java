/** The keys with the highest rates out of any number of keys, and rules that block them. */
@NullMarked
package io.heatshield.contest;

import org.jspecify.annotations.NullMarked;
