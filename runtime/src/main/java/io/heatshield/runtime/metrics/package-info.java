/** What the process tells Prometheus: names under one prefix, series under a fixed cap. */
@NullMarked
package io.heatshield.runtime.metrics;

import org.jspecify.annotations.NullMarked;
