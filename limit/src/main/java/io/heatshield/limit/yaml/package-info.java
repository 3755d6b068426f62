/** Reads rules from YAML files and reports every fault with its file and line. */
@NullMarked
package io.heatshield.limit.yaml;

import org.jspecify.annotations.NullMarked;
