/** Settings tried on a recorded trace, and the one that fits it best. */
@NullMarked
package io.heatshield.replay.advise;

import org.jspecify.annotations.NullMarked;
