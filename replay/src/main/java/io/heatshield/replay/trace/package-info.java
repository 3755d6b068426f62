/**
 * Recorded traces, read as a stream of touches: unpacked, split into lines and parsed without an
 * object for each line, and never trusted.
 */
@NullMarked
package io.heatshield.replay.trace;

import org.jspecify.annotations.NullMarked;
