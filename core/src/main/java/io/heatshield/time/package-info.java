/**
 * Time as the counting structures see it, which comes in from outside: monotonic nanoseconds, and
 * for windows that begin with the Unix epoch a coarse wall clock.
 */
@NullMarked
package io.heatshield.time;

import org.jspecify.annotations.NullMarked;
