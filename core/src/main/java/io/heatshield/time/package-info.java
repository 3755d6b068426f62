/**
 * Time sources: monotonic nanoseconds, and wall clocks for windows that are aligned to the Unix
 * epoch; and the wait for a short lock.
 */
@NullMarked
package io.heatshield.time;

import org.jspecify.annotations.NullMarked;
