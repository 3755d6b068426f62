/**
 * Sources of time: tickers of monotonic nanoseconds, and clocks of Unix time for windows that are
 * aligned to it. Also the wait for a short lock.
 */
@NullMarked
package io.heatshield.time;

import org.jspecify.annotations.NullMarked;
