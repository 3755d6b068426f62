package io.heatshield.config.env;

import io.heatshield.config.value.InvalidValueException;
import io.heatshield.redis.RedisUrl;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Builds a Redis URL from the variables of the Envoy rate-limit service. */
final class EnvoyRedisUrl {
  private EnvoyRedisUrl() {}

  /**
   * Returns the URL.
   *
   * @param servers {@code host:port}; for a cluster several, separated by commas; for sentinels the
   *     master's name and then theirs; or a URL
   * @param type SINGLE, which is the default, SENTINEL or CLUSTER
   * @param auth the password, or user and password separated by a colon
   */
  static String of(String servers, @Nullable String type, @Nullable String auth, boolean tls) {
    if (servers.startsWith("/")) {
      throw new InvalidValueException("a unix socket is not supported", "give host:port");
    }
    String query = tls ? "?tls=true" : "";
    return switch (type == null ? "SINGLE" : type.toUpperCase(Locale.ROOT)) {
      case "SINGLE" -> single(servers, auth, tls);
      case "CLUSTER" -> "redis-cluster://" + credentials(auth) + servers + query;
      case "SENTINEL" -> {
        int comma = servers.indexOf(',');
        if (comma < 0) {
          throw new InvalidValueException("sentinels are given as master,host:port,host:port");
        }
        String sentinels = servers.substring(comma + 1);
        String master = servers.substring(0, comma);
        yield "redis-sentinel://" + credentials(auth) + sentinels + query + "#" + master;
      }
      default ->
          throw new InvalidValueException(
              "the type of the Redis must be SINGLE, SENTINEL or CLUSTER");
    };
  }

  private static String single(String servers, @Nullable String auth, boolean tls) {
    int scheme = servers.indexOf("://");
    if (scheme < 0) {
      return (tls ? "rediss://" : "redis://") + credentials(auth) + servers;
    }
    String rest = servers.substring(scheme + 3);
    String prefix =
        tls && servers.startsWith("redis://") ? "rediss://" : servers.substring(0, scheme + 3);
    return prefix + (rest.contains("@") ? "" : credentials(auth)) + rest;
  }

  private static String credentials(@Nullable String auth) {
    if (auth == null) {
      return "";
    }
    int colon = auth.indexOf(':');
    String user = colon < 0 ? "" : auth.substring(0, colon);
    return RedisUrl.encoded(user) + ":" + RedisUrl.encoded(auth.substring(colon + 1)) + "@";
  }
}
