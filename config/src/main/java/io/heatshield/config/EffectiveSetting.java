package io.heatshield.config;

import io.heatshield.config.yaml.Origin;

/**
 * An effective setting.
 *
 * @param value as it is written in the file, secrets masked
 * @param origin the origin of the value
 */
public record EffectiveSetting(String path, String value, Origin origin) {}
