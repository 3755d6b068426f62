/** Metrics for Prometheus: names with one prefix, and a bounded number of series. */
@NullMarked
package io.heatshield.runtime.metrics;

import org.jspecify.annotations.NullMarked;
