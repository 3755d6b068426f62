package io.heatshield.redis;

import io.heatshield.redis.RedisUrl.Kind;
import io.heatshield.redis.RedisUrl.Login;
import io.heatshield.redis.connection.Address;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses a {@link RedisUrl}. No message contains any part of the text, which holds a password. */
final class RedisUrlParser {
  private static final int MAX_LENGTH = 4096;
  private static final int MAX_HOSTS = 64;
  private static final int MAX_DATABASE = 65_535;
  private static final int DEFAULT_PORT = 6379;
  private static final int DEFAULT_SENTINEL_PORT = 26379;
  private static final Pattern URL =
      Pattern.compile(
          "([a-zA-Z][a-zA-Z0-9+.-]*)://(?:([^@/?#]*)@)?([^@/?#]*)(?:/([^?#]*))?(?:\\?([^#]*))?(?:#(.*))?");

  private RedisUrlParser() {}

  static RedisUrl parse(String text) {
    Matcher url = URL.matcher(text);
    if (text.length() > MAX_LENGTH || !url.matches()) {
      throw new IllegalArgumentException(
          "url must be like redis://127.0.0.1:6379, with @, / and # percent-encoded in the"
              + " password");
    }
    String scheme = url.group(1).toLowerCase(Locale.ROOT);
    boolean rediss = scheme.startsWith("rediss");
    Kind kind = kind(rediss ? "redis" + scheme.substring("rediss".length()) : scheme);
    String path = Objects.requireNonNullElse(url.group(4), "");
    String master = Objects.requireNonNullElse(url.group(6), "");
    if (kind == Kind.SENTINEL && master.isEmpty() && !path.matches("[0-9]*")) {
      String[] parts = path.split("/", 2);
      master = parts[0];
      path = parts.length == 2 ? parts[1] : "";
    }
    boolean option = tlsOption(url.group(5));
    return new RedisUrl(
        kind,
        rediss || option,
        hosts(url.group(3), kind),
        login(url.group(2)),
        master(master, kind),
        database(path, kind));
  }

  private static Kind kind(String scheme) {
    for (Kind kind : Kind.values()) {
      if (scheme.equals("redis" + kind.suffix)) {
        return kind;
      }
    }
    throw new IllegalArgumentException(
        "url must begin with redis://, rediss://, redis-cluster:// or redis-sentinel://");
  }

  private static List<Address> hosts(String text, Kind kind) {
    int port = kind == Kind.SENTINEL ? DEFAULT_SENTINEL_PORT : DEFAULT_PORT;
    List<Address> hosts =
        Arrays.stream(text.split(",", -1))
            .limit(MAX_HOSTS + 1L)
            .map(host -> Address.parse(host, port))
            .toList();
    if (hosts.size() > 1 && kind == Kind.SINGLE) {
      throw new IllegalArgumentException(
          "url must be of redis-cluster:// or redis-sentinel:// to name more than one server");
    }
    if (hosts.size() > MAX_HOSTS) {
      throw new IllegalArgumentException("url must not name more than " + MAX_HOSTS + " servers");
    }
    return hosts;
  }

  private static Login login(@Nullable String text) {
    if (text == null) {
      return new Login(null, null, null);
    }
    int colon = text.indexOf(':');
    String user = colon > 0 ? decode(text.substring(0, colon)) : null;
    return new Login(user, decode(text.substring(colon + 1)), null);
  }

  private static String decode(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "url must have user and password percent-encoded: write %25 for %");
    }
  }

  private static String master(String name, Kind kind) {
    if (kind != Kind.SENTINEL && !name.isEmpty()) {
      throw new IllegalArgumentException("url must be of redis-sentinel:// to name a master");
    }
    if (kind == Kind.SENTINEL && !name.matches("[A-Za-z0-9._-]{1,255}")) {
      throw new IllegalArgumentException(
          "url must name the master that the sentinels watch: append #mymaster");
    }
    return name;
  }

  private static int database(String path, Kind kind) {
    if (!path.matches("[0-9]{0,5}")) {
      throw new IllegalArgumentException(
          "url must have the number of a database after the servers, as in /0");
    }
    int number = path.isEmpty() ? 0 : Integer.parseInt(path);
    if (number > 0 && kind == Kind.CLUSTER) {
      throw new IllegalArgumentException("url must not name a database: a cluster has only 0");
    }
    if (number > MAX_DATABASE) {
      throw new IllegalArgumentException("database must be 0 to " + MAX_DATABASE + ": " + number);
    }
    return number;
  }

  private static boolean tlsOption(@Nullable String query) {
    if (query == null || query.isEmpty() || query.equals("tls=false")) {
      return false;
    }
    if (query.equals("tls=true")) {
      return true;
    }
    throw new IllegalArgumentException("url must have no other option after ? than tls=true");
  }
}
