/** Tests of what reads traces. */
@NullMarked
package io.heatshield.replay.trace;

import org.jspecify.annotations.NullMarked;
