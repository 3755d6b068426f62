/** The contract of every backend of rate-limit counters. */
@NullMarked
package io.heatshield.testkit.limit;

import org.jspecify.annotations.NullMarked;
