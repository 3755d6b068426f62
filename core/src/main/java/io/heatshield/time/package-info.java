/** Time as the counting structures see it: monotonic nanoseconds that come in from outside. */
@NullMarked
package io.heatshield.time;

import org.jspecify.annotations.NullMarked;
