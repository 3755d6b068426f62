package io.heatshield.config.env;

import io.heatshield.config.bind.Field;
import io.heatshield.config.bind.Overlay;
import io.heatshield.config.bind.Section;
import io.heatshield.config.settings.ServerSettings;
import io.heatshield.config.value.Address;
import io.heatshield.config.value.InvalidValueException;
import io.heatshield.config.yaml.Expansion;
import io.heatshield.config.yaml.Faults;
import io.heatshield.config.yaml.Node;
import io.heatshield.config.yaml.Origin;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Overrides the settings of a file with the variables of the Envoy rate-limit service.
 *
 * <p>An empty variable counts as not set. A variable of a setting in {@code limits} has no effect,
 * except for a warning, if there is no such section; only those of {@link
 * EnvoyVariables#MAKE_LIMITS} create the section. One instance serves one load.
 */
public final class EnvironmentOverrides {
  private static final String DEFAULT_ROOT = "/srv/runtime_data/current";

  private final Map<String, String> environment;
  private final Faults faults;
  private final Faults warnings;
  private Node.Mapping root;

  public EnvironmentOverrides(
      Map<String, String> environment, Node.Mapping root, Faults faults, Faults warnings) {
    this.environment = environment;
    this.root = root;
    this.faults = faults;
    this.warnings = warnings;
  }

  /** Returns the nodes of the file, overridden by the variables. */
  public Node.Mapping apply() {
    address("server.http", "HOST", "PORT");
    address("server.grpc", "GRPC_HOST", "GRPC_PORT");
    tls();
    boolean redis = redis("redis.url", "REDIS");
    if ("true".equals(bool("REDIS_PERSECOND"))) {
      redis("redis.per_second_url", "REDIS_PERSECOND");
    }
    limits(redis);
    EnvoyVariables.direct().forEach(this::direct);
    String detection = bool("HOT_KEY_DETECTION_ENABLED");
    if (detection != null && hasSection("limits.hot_keys.mode", "HOT_KEY_DETECTION_ENABLED")) {
      String mode = detection.equals("true") ? "enforce" : "off";
      put("limits.hot_keys.mode", "HOT_KEY_DETECTION_ENABLED", mode);
    }
    warn();
    return root;
  }

  private void address(String path, String hostVariable, String portVariable) {
    String host = get(hostVariable);
    String port = get(portVariable);
    if (host == null && port == null) {
      return;
    }
    Address before = before(path);
    String newHost = before.host();
    int newPort = before.port();
    if (host != null) {
      try {
        boolean bareV6 = host.contains(":") && !host.startsWith("[");
        newHost = Address.host(bareV6 ? "[" + host + "]" : host);
      } catch (InvalidValueException e) {
        faults.add(Origin.environment(hostVariable), path, e);
      }
    }
    if (port != null) {
      try {
        newPort = Address.port(port);
      } catch (InvalidValueException e) {
        faults.add(Origin.environment(portVariable), path, e);
      }
    }
    String variables =
        host == null
            ? portVariable
            : port == null ? hostVariable : hostVariable + ", " + portVariable;
    put(path, variables, new Address(newHost, newPort).toString());
  }

  /** Returns the address of the file, or else the default. */
  private Address before(String path) {
    String key = path.substring(path.indexOf('.') + 1);
    try {
      if (root.get("server") instanceof Node.Mapping server
          && server.get(key) instanceof Node.Scalar given) {
        return Address.parse(new Expansion(environment).expand(given.text()));
      }
    } catch (InvalidValueException e) {
      // The address of the file is replaced, so its fault does not matter.
    }
    Field field = Section.of(ServerSettings.class).field(key);
    if (field == null) {
      throw new IllegalArgumentException("path must name an address: " + path);
    }
    return Address.parse(field.setting().value());
  }

  private void tls() {
    if (!"true".equals(bool("GRPC_SERVER_USE_TLS"))) {
      return;
    }
    for (String variable : new String[] {"GRPC_SERVER_TLS_CERT", "GRPC_SERVER_TLS_KEY"}) {
      if (get(variable) == null) {
        Origin origin = Origin.environment("GRPC_SERVER_USE_TLS");
        faults.add(origin, "server.tls", "is true, but " + variable + " is not set", null);
      }
    }
    copy("server.tls.cert", "GRPC_SERVER_TLS_CERT");
    copy("server.tls.key", "GRPC_SERVER_TLS_KEY");
    copy("server.tls.client_ca", "GRPC_CLIENT_TLS_CACERT");
  }

  private boolean redis(String path, String prefix) {
    String variable = prefix + "_URL";
    String servers = get(variable);
    if (servers == null) {
      if (get(prefix + "_AUTH") != null) {
        Origin origin = Origin.environment(prefix + "_AUTH");
        warnings.add(origin, path, "has no effect without " + variable, null);
      }
      return false;
    }
    boolean tls = "true".equals(bool(prefix + "_TLS"));
    try {
      String url = EnvoyRedisUrl.of(servers, get(prefix + "_TYPE"), get(prefix + "_AUTH"), tls);
      put(path, variable, url);
    } catch (InvalidValueException e) {
      faults.add(Origin.environment(variable), path, e);
    }
    return true;
  }

  private void limits(boolean redis) {
    boolean made =
        !hasLimits() && EnvoyVariables.MAKE_LIMITS.stream().anyMatch(v -> get(v) != null);
    String folder = get("RUNTIME_ROOT");
    String middle = get("RUNTIME_SUBDIRECTORY");
    if (folder != null || middle != null) {
      put(
          "limits.config",
          folder == null ? "RUNTIME_SUBDIRECTORY" : "RUNTIME_ROOT",
          Objects.requireNonNullElse(folder, DEFAULT_ROOT)
              + (middle == null ? "" : "/" + middle)
              + "/"
              + Objects.requireNonNullElse(get("RUNTIME_APPDIRECTORY"), "config"));
    }
    String backend = get("BACKEND_TYPE");
    if (backend != null) {
      String lower = backend.toLowerCase(Locale.ROOT);
      if (lower.equals("memcache")) {
        Origin origin = Origin.environment("BACKEND_TYPE");
        faults.add(origin, "limits.backend", "memcache is not supported", "use redis or memory");
      } else {
        put("limits.backend", "BACKEND_TYPE", lower);
      }
    } else if (made && redis) {
      // The Envoy service counts in Redis by default.
      put("limits.backend", "REDIS_URL", "redis");
    }
  }

  private void direct(String variable, EnvoyVariables.Target target) {
    String value = get(variable);
    if (value == null || variable.equals("BACKEND_TYPE") || !hasSection(target.path(), variable)) {
      return;
    }
    String text =
        switch (variable) {
          case "LOG_LEVEL" -> level(value);
          case "LOG_FORMAT" -> value.toLowerCase(Locale.ROOT);
          case "EXPIRATION_JITTER_MAX_SECONDS" -> value + "s";
          case "HOT_KEY_FLUSH_WINDOW", "HOT_KEY_DECAY_INTERVAL" -> value.equals("0") ? "0s" : value;
          default -> target.field().type() == boolean.class ? goBoolean(value) : value;
        };
    put(target.path(), variable, text);
  }

  /** Adds a warning for each variable that is set and not supported. */
  private void warn() {
    if ("GRPC_XDS_SOTW".equals(get("CONFIG_TYPE"))) {
      Origin origin = Origin.environment("CONFIG_TYPE");
      warnings.add(origin, "", "GRPC_XDS_SOTW is not supported; rules come from files only", null);
    }
    for (String variable : new TreeMap<>(environment).keySet()) {
      boolean off = "false".equals(goBoolean(environment.getOrDefault(variable, "")));
      boolean worth =
          EnvoyVariables.WORTH_A_WARNING.stream()
              .anyMatch(pattern -> EnvoyVariables.matches(pattern, variable));
      if (worth && !off && get(variable) != null) {
        warnings.add(
            Origin.environment(Faults.shownKey(variable)),
            "",
            "is not supported and has no effect",
            null);
      }
    }
  }

  private boolean hasLimits() {
    Node limits = root.get("limits");
    return limits != null && !limits.isNull();
  }

  private boolean hasSection(String path, String variable) {
    if (!path.startsWith("limits.") || hasLimits()) {
      return true;
    }
    warnings.add(
        Origin.environment(variable),
        path,
        "has no effect, because there is no limits section",
        null);
    return false;
  }

  private void copy(String path, String variable) {
    String value = get(variable);
    if (value != null) {
      put(path, variable, value);
    }
  }

  private void put(String path, String variable, String text) {
    Node.Scalar value = new Node.Scalar(Origin.environment(variable), text, false);
    root = Overlay.put(root, path, value);
  }

  /**
   * Returns a boolean variable as text, or null if it is not set or, with a fault added, invalid.
   */
  private @Nullable String bool(String variable) {
    String value = get(variable);
    if (value == null) {
      return null;
    }
    String truth = goBoolean(value);
    if (truth.equals("true") || truth.equals("false")) {
      return truth;
    }
    faults.add(
        Origin.environment(variable),
        "",
        "must be true or false, but is " + Faults.shown(value),
        null);
    return null;
  }

  private @Nullable String get(String variable) {
    String value = environment.get(variable);
    return value == null || value.isEmpty() ? null : value;
  }

  private static String level(String value) {
    String lower = value.toLowerCase(Locale.ROOT);
    return switch (lower) {
      case "warning" -> "warn";
      case "fatal", "panic" -> "error";
      default -> lower;
    };
  }

  /** Converts the spellings of true and false that Go accepts. */
  private static String goBoolean(String value) {
    return switch (value) {
      case "1", "T", "t", "True", "TRUE" -> "true";
      case "0", "F", "f", "False", "FALSE" -> "false";
      default -> value;
    };
  }
}
