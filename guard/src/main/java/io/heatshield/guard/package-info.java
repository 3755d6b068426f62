/**
 * The protection of a key, without I/O: hot values in memory, throttled writes, known-absent keys.
 */
@NullMarked
package io.heatshield.guard;

import org.jspecify.annotations.NullMarked;
