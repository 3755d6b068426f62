/** Tests of what gives advice. */
@NullMarked
package io.heatshield.replay.advise;

import org.jspecify.annotations.NullMarked;
