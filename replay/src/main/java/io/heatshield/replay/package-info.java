/** Runs a recorded trace through the detector and compares the result with exact counts. */
@NullMarked
package io.heatshield.replay;

import org.jspecify.annotations.NullMarked;
