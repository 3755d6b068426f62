/**
 * Configuration: one typed, immutable model, read from a YAML file and the environment, that
 * reports all its faults at once and knows where each value came from.
 */
@NullMarked
package io.heatshield.config;

import org.jspecify.annotations.NullMarked;
