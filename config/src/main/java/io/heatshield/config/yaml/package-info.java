/** Reads YAML into nodes that know where they were written, and gathers faults. */
@NullMarked
package io.heatshield.config.yaml;

import org.jspecify.annotations.NullMarked;
