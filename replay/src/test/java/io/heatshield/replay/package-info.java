/** Tests of replays and of their reports. */
@NullMarked
package io.heatshield.replay;

import org.jspecify.annotations.NullMarked;
