/** Reading of metrics in tests. */
@NullMarked
package io.heatshield.testkit.metrics;

import org.jspecify.annotations.NullMarked;
