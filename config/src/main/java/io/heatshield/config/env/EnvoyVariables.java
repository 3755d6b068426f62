package io.heatshield.config.env;

import io.heatshield.config.bind.Field;
import io.heatshield.config.bind.Section;
import io.heatshield.config.settings.Setting;
import io.heatshield.config.settings.Settings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The variables of the Envoy rate-limit service.
 *
 * <p>A variable that sets exactly one setting is named in its {@link Setting#env}.
 */
public final class EnvoyVariables {
  /** The unsupported variables that a deployment may depend on. */
  static final List<String> WORTH_A_WARNING =
      List.of(
          "CONFIG_GRPC_XDS_*",
          "MEMCACHE_*",
          "USE_STATSD",
          "USE_DOG_STATSD",
          "TRACING_ENABLED",
          "GRPC_UDS",
          "GRPC_CLIENT_TLS_SAN",
          "LIMIT_REQUEST_HEADERS_ENABLED",
          "LIMIT_PER_UNIT_HEADERS_ENABLED",
          "USE_CALENDAR_MONTH_RATE_LIMIT",
          "REDIS_TLS_*",
          "REDIS_SENTINEL_AUTH",
          "REDIS_PERSECOND_SENTINEL_AUTH");

  /** The variables that create the section of rate limits if the file has none. */
  public static final List<String> MAKE_LIMITS =
      List.of("RUNTIME_ROOT", "RUNTIME_SUBDIRECTORY", "BACKEND_TYPE");

  private EnvoyVariables() {}

  /** Returns the settings that are set by exactly one variable, by variable. */
  public static Map<String, Target> direct() {
    var direct = new LinkedHashMap<String, Target>();
    collect(Section.of(Settings.class), "", direct);
    return direct;
  }

  /** Returns whether a name matches a pattern, which may end in a star. */
  static boolean matches(String pattern, String name) {
    return pattern.endsWith("*")
        ? name.startsWith(pattern.substring(0, pattern.length() - 1))
        : name.equals(pattern);
  }

  private static void collect(Section section, String path, Map<String, Target> direct) {
    for (Field field : section.fields()) {
      String at = path.isEmpty() ? field.key() : path + "." + field.key();
      if (field.isSection() && !field.list()) {
        collect(field.section(), at, direct);
      } else if (!field.setting().env().isEmpty()) {
        direct.put(field.setting().env(), new Target(at, field));
      }
    }
  }

  /** A setting and its path. */
  public record Target(String path, Field field) {}
}
