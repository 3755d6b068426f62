/** Overrides settings with the variables of the Envoy rate-limit service. */
@NullMarked
package io.heatshield.config.env;

import org.jspecify.annotations.NullMarked;
