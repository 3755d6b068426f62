/** Tries settings on a recorded trace and recommends the best ones. */
@NullMarked
package io.heatshield.replay.advise;

import org.jspecify.annotations.NullMarked;
