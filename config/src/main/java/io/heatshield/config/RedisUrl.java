package io.heatshield.config;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a Redis is and how to enter it, written {@code
 * scheme://[user:password@]host:port[/number]}.
 *
 * <p>A cluster and sentinels may name several {@code host:port}, separated by commas; sentinels
 * also name the master they watch, {@code redis-sentinel://host:26379#master}. Both speak TLS when
 * {@code ?tls=true} follows. User and password are percent-encoded where they hold other characters
 * than letters, digits, dot, dash and underscore.
 *
 * <p>The password is a secret: {@link #toString} masks it.
 *
 * @param user empty for the default user
 * @param password null for none
 * @param master the name that sentinels watch, otherwise null
 */
public record RedisUrl(
    Scheme scheme,
    List<Address> nodes,
    String user,
    @Nullable String password,
    int database,
    @Nullable String master,
    boolean tls) {
  private static final int DEFAULT_PORT = 6379;
  private static final int DEFAULT_SENTINEL_PORT = 26379;
  private static final Pattern URL =
      Pattern.compile(
          "([a-zA-Z][a-zA-Z0-9+.-]*)://(?:([^@/?#]*)@)?([^@/?#]*)(?:/([^?#]*))?(?:\\?([^#]*))?(?:#(.*))?");
  private static final String SCHEMES =
      "must begin with redis://, rediss://, redis-cluster:// or redis-sentinel://";

  /** How a Redis is organised. */
  public enum Scheme {
    /** One server. */
    REDIS("redis"),
    /** One server, over TLS. */
    REDISS("rediss"),
    /** A cluster, found through any of its nodes. */
    CLUSTER("redis-cluster"),
    /** A master, found through sentinels. */
    SENTINEL("redis-sentinel");

    private final String text;

    Scheme(String text) {
      this.text = text;
    }
  }

  /** Creates a URL. */
  public RedisUrl {
    nodes = List.copyOf(nodes);
  }

  /**
   * Returns the URL that a text stands for; no message repeats any part of it.
   *
   * @throws IllegalArgumentException if the text is not such a URL
   */
  public static RedisUrl parse(String text) {
    Matcher url = URL.matcher(text);
    if (!url.matches()) {
      throw new Malformed(
          "must be a URL, for example redis://127.0.0.1:6379",
          text.contains("@") ? "percent-encode @, / and # inside the password" : SCHEMES);
    }
    Scheme scheme = scheme(url.group(1));
    boolean several = scheme == Scheme.CLUSTER || scheme == Scheme.SENTINEL;
    List<Address> nodes = nodes(url.group(3), scheme);
    if (nodes.size() > 1 && !several) {
      throw new Malformed(
          "only redis-cluster:// and redis-sentinel:// name more than one server",
          "did you mean redis-cluster://?");
    }
    String credentials = url.group(2);
    int colon = credentials == null ? -1 : credentials.indexOf(':');
    String user = credentials == null || colon < 0 ? "" : decoded(credentials.substring(0, colon));
    String password = credentials == null ? null : decoded(credentials.substring(colon + 1));
    return new RedisUrl(
        scheme,
        nodes,
        user,
        password,
        database(url.group(4), scheme),
        master(url.group(6), scheme),
        tls(url.group(5), scheme));
  }

  /** Returns the URL with its password masked. */
  @Override
  public String toString() {
    return text("***");
  }

  /** Returns the URL as it is, with its password. */
  public String unmasked() {
    return text(password == null ? "" : encoded(password));
  }

  private String text(String shownPassword) {
    var text = new StringBuilder(scheme.text).append("://");
    if (password != null) {
      text.append(encoded(user)).append(':').append(shownPassword).append('@');
    }
    text.append(String.join(",", nodes.stream().map(Address::toString).toList()));
    if (database != 0) {
      text.append('/').append(database);
    }
    if (tls && scheme != Scheme.REDISS) {
      text.append("?tls=true");
    }
    if (master != null) {
      text.append('#').append(master);
    }
    return text.toString();
  }

  private static Scheme scheme(String text) {
    for (Scheme scheme : Scheme.values()) {
      if (scheme.text.equals(text)) {
        return scheme;
      }
    }
    List<String> known = List.of("redis", "rediss", "redis-cluster", "redis-sentinel");
    String nearest = Nearest.of(text, known);
    throw new Malformed(SCHEMES, nearest == null ? null : "did you mean " + nearest + "://?");
  }

  private static List<Address> nodes(String text, Scheme scheme) {
    int port = scheme == Scheme.SENTINEL ? DEFAULT_SENTINEL_PORT : DEFAULT_PORT;
    var nodes = new ArrayList<Address>();
    int from = 0;
    while (from <= text.length()) {
      int comma = text.indexOf(',', from);
      int end = comma < 0 ? text.length() : comma;
      String node = text.substring(from, end);
      boolean withPort = node.lastIndexOf(':') > node.lastIndexOf(']');
      try {
        nodes.add(withPort ? Address.parse(node) : new Address(Address.host(node), port));
      } catch (Malformed e) {
        throw new Malformed("the servers must be host:port, separated by commas: " + e.problem());
      }
      from = end + 1;
    }
    return nodes;
  }

  private static int database(@Nullable String text, Scheme scheme) {
    if (text == null || text.isEmpty()) {
      return 0;
    }
    try {
      int database = Numbers.readInt(text);
      if (database >= 0 && (database == 0 || scheme != Scheme.CLUSTER)) {
        return database;
      }
    } catch (Malformed e) {
      throw new Malformed("what follows the servers must be the number of a database, as in /0");
    }
    throw new Malformed(
        scheme == Scheme.CLUSTER
            ? "a cluster has the database 0 only"
            : "the number of a database must not be negative");
  }

  private static @Nullable String master(@Nullable String text, Scheme scheme) {
    boolean given = text != null && !text.isEmpty();
    if (scheme == Scheme.SENTINEL && !given) {
      throw new Malformed("sentinels need the name of the master they watch", "append #mymaster");
    }
    if (scheme != Scheme.SENTINEL && given) {
      throw new Malformed("only redis-sentinel:// names a master after #");
    }
    return given ? text : null;
  }

  private static boolean tls(@Nullable String query, Scheme scheme) {
    if (query == null || query.isEmpty() || query.equals("tls=false")) {
      return scheme == Scheme.REDISS;
    }
    if (query.equals("tls=true")) {
      return true;
    }
    throw new Malformed("the only option after ? is tls=true");
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new Malformed("user and password must be percent-encoded", "write %25 for %");
    }
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
