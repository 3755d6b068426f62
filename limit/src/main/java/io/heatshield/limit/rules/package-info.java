/** Rules read from the YAML of the Envoy rate-limit service: all of them, or every fault. */
@NullMarked
package io.heatshield.limit.rules;

import org.jspecify.annotations.NullMarked;
