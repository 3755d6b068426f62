/** Counts that are supplied by a policy when the shared counters fail. */
@NullMarked
package io.heatshield.limit.fallback;

import org.jspecify.annotations.NullMarked;
