/**
 * Time as the counting structures see it, which comes in from outside: monotonic nanoseconds, and
 * for windows that begin with the Unix epoch a coarse wall clock; and the wait for a short lock.
 */
@NullMarked
package io.heatshield.time;

import org.jspecify.annotations.NullMarked;
