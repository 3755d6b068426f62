/** The variables of the Envoy rate-limit service, put over the file. */
@NullMarked
package io.heatshield.config.env;

import org.jspecify.annotations.NullMarked;
