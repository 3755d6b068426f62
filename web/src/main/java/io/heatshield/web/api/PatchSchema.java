package io.heatshield.web.api;

import io.heatshield.config.LiveSetting;
import io.heatshield.web.openapi.Schema;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The schema of a change of the live settings that the server has at its start. */
final class PatchSchema {
  private static final String DURATION = "^([0-9]+(ns|us|ms|s|m|h|d))+$";

  private PatchSchema() {}

  static Schema of(List<LiveSetting> settings) {
    Schema body =
        Schema.object("ConfigPatch")
            .about(
                "Live settings by path, at least one. They may also be nested, as in the file."
                    + " Durations and sizes have units; the error names their bounds.");
    for (LiveSetting setting : settings) {
      body = body.withOptional(setting.path(), value(setting).about(setting.doc()));
    }
    return body.closed()
        .with("minProperties", 1)
        .withExample(Map.of("detect.threshold", 50, "detect.window", "30s"));
  }

  private static Schema value(LiveSetting setting) {
    Schema schema = value(setting, setting.type());
    return setting.nullable() ? schema.orNull() : schema;
  }

  private static Schema value(LiveSetting setting, Class<?> type) {
    if (type.isEnum()) {
      return Schema.oneOf(type);
    }
    if (type == int.class || type == long.class || type == Long.class) {
      return Schema.integer(
          setting.min().isEmpty() ? Long.MIN_VALUE : Long.parseLong(setting.min()),
          setting.max().isEmpty() ? Long.MAX_VALUE : Long.parseLong(setting.max()));
    }
    if (type == double.class || type == Double.class) {
      return bounded(Schema.number(), setting);
    }
    if (type == boolean.class) {
      return Schema.flag();
    }
    return type == Duration.class ? Schema.text().with("pattern", DURATION) : Schema.text();
  }

  private static Schema bounded(Schema number, LiveSetting setting) {
    Schema bounded =
        setting.min().isEmpty()
            ? number
            : number.with("minimum", Double.parseDouble(setting.min()));
    return setting.max().isEmpty()
        ? bounded
        : bounded.with("maximum", Double.parseDouble(setting.max()));
  }
}
