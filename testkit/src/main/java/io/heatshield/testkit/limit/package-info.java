/** What every backend of rate-limit counters keeps. */
@NullMarked
package io.heatshield.testkit.limit;

import org.jspecify.annotations.NullMarked;
