package io.heatshield.config;

import io.heatshield.config.yaml.Origin;

/**
 * A setting as it is in effect.
 *
 * @param value as it is written in the file, secrets masked
 * @param origin where the value came from
 */
public record Effective(String path, String value, Origin origin) {}
