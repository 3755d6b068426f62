/**
 * Reads recorded traces as a stream of touches: decompresses, splits into lines and parses without
 * allocating per line. Traces are untrusted input.
 */
@NullMarked
package io.heatshield.replay.trace;

import org.jspecify.annotations.NullMarked;
