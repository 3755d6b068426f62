package io.heatshield.runtime.net;

import io.heatshield.config.Address;
import io.heatshield.redis.RedisUrl;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;

/** The address of a Redis, from the settings' form to the client's. */
public final class RedisAddress {
  private static final int MAX_MACHINE = 64;

  private RedisAddress() {}

  /**
   * Returns where the client finds it, with connections named for CLIENT LIST: {@code
   * heatshield-role:machine-process}.
   *
   * @param role what the connections are for
   * @throws IllegalArgumentException as {@link #of(io.heatshield.config.RedisUrl)}
   */
  public static RedisUrl of(io.heatshield.config.RedisUrl url, String role) {
    String machine = MachineName.get();
    String shown = machine.substring(0, Math.min(MAX_MACHINE, machine.length()));
    return of(url).named("heatshield-" + role + ":" + shown + "-" + ProcessHandle.current().pid());
  }

  /**
   * Returns where the client finds it.
   *
   * @throws IllegalArgumentException if the client does not know how; the message holds no secret
   */
  public static RedisUrl of(io.heatshield.config.RedisUrl url) {
    var text = new StringBuilder(url.tls() ? "rediss" : "redis");
    switch (url.scheme()) {
      case CLUSTER -> text.append("-cluster");
      case SENTINEL -> text.append("-sentinel");
      case REDIS, REDISS -> {}
    }
    text.append("://");
    if (url.password() != null) {
      text.append(encoded(url.user())).append(':').append(encoded(url.password())).append('@');
    }
    text.append(url.nodes().stream().map(Address::toString).collect(Collectors.joining(",")));
    if (url.master() != null) {
      text.append('/').append(url.master());
    }
    if (url.database() != 0) {
      text.append('/').append(url.database());
    }
    return RedisUrl.parse(text.toString());
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
