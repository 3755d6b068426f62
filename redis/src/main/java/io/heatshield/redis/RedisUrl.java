package io.heatshield.redis;

import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The address of a Redis, with the credentials to use there.
 *
 * <pre>
 * redis://[[user:]password@]host[:port][/database]
 * redis-cluster://[[user:]password@]host[:port],...
 * redis-sentinel://[[user:]password@]host[:port],...[/database]#master
 * redis-sentinel://[[user:]password@]host[:port],.../master[/database]
 * </pre>
 *
 * <p>Connections use TLS with {@code rediss} in place of {@code redis}, or when {@code ?tls=true}
 * follows the servers. User and password are percent-encoded where they contain other characters
 * than letters, digits, dot, dash and underscore. A master whose name is a number is written after
 * {@code #}.
 *
 * <p>The password is a secret: no message contains any part of a faulty URL, {@link #toString}
 * contains no credentials and {@link #masked} hides the password. Immutable.
 */
public final class RedisUrl {
  private static final int MAX_LENGTH = 4096;
  private static final int MAX_HOSTS = 64;
  private static final int MAX_DATABASE = 65_535;
  private static final int DEFAULT_PORT = 6379;
  private static final int DEFAULT_SENTINEL_PORT = 26379;
  private static final Pattern URL =
      Pattern.compile(
          "([a-zA-Z][a-zA-Z0-9+.-]*)://(?:([^@/?#]*)@)?([^@/?#]*)(?:/([^?#]*))?(?:\\?([^#]*))?(?:#(.*))?");

  private final Kind kind;
  private final boolean tls;
  private final List<Address> hosts;
  private final Login login;
  private final String master;
  private final int database;

  private RedisUrl(
      Kind kind, boolean tls, List<Address> hosts, Login login, String master, int database) {
    this.kind = kind;
    this.tls = tls;
    this.hosts = hosts;
    this.login = login;
    this.master = master;
    this.database = database;
  }

  /**
   * Returns the URL that a text stands for.
   *
   * @throws IllegalArgumentException if the text is not such a URL; the message contains no part of
   *     it
   */
  public static RedisUrl parse(String text) {
    Matcher url = URL.matcher(text);
    if (text.length() > MAX_LENGTH || !url.matches()) {
      throw new IllegalArgumentException(
          "url must be like redis://127.0.0.1:6379, with @, / and # percent-encoded in the"
              + " password");
    }
    String scheme = url.group(1).toLowerCase(Locale.ROOT);
    boolean rediss = scheme.startsWith("rediss");
    Kind kind = Kind.of(rediss ? "redis" + scheme.substring("rediss".length()) : scheme);
    String path = Objects.requireNonNullElse(url.group(4), "");
    String master = Objects.requireNonNullElse(url.group(6), "");
    if (kind == Kind.SENTINEL && master.isEmpty() && !path.matches("[0-9]*")) {
      int slash = path.indexOf('/');
      master = slash < 0 ? path : path.substring(0, slash);
      path = slash < 0 ? "" : path.substring(slash + 1);
    }
    boolean option = tlsOption(url.group(5));
    return new RedisUrl(
        kind,
        rediss || option,
        hosts(url.group(3), kind),
        Login.parse(url.group(2)),
        master(master, kind),
        database(path, kind));
  }

  /** Returns the same Redis with other credentials. */
  public RedisUrl as(@Nullable String otherUser, @Nullable String otherPassword) {
    return with(new Login(otherUser, otherPassword, login.clientName));
  }

  /**
   * Returns the same Redis with a name for its connections, as CLIENT LIST shows it.
   *
   * @throws IllegalArgumentException if Redis does not accept the name
   */
  public RedisUrl named(String clientName) {
    if (!clientName.matches("[!-~]{1,255}")) {
      throw new IllegalArgumentException("clientName must be of visible ASCII characters");
    }
    return with(new Login(login.user, login.password, clientName));
  }

  private RedisUrl with(Login other) {
    return new RedisUrl(kind, tls, hosts, other, master, database);
  }

  /**
   * Returns one server of the same Redis, to which this one points.
   *
   * @param hostAndPort as a redirection has it; without a host, the first server's own
   * @throws IllegalArgumentException if it is not an address
   */
  public RedisUrl at(String hostAndPort) {
    return at(
        Address.ofRedirection(
            hostAndPort.startsWith(":") ? hosts.get(0).host() + hostAndPort : hostAndPort));
  }

  RedisUrl at(Address server) {
    return new RedisUrl(Kind.SINGLE, tls, List.of(server), login, "", database);
  }

  /** Returns the servers as host and port. */
  public List<InetSocketAddress> servers() {
    return hosts.stream()
        .map(host -> InetSocketAddress.createUnresolved(host.host(), host.port()))
        .toList();
  }

  /** Returns whether sentinels say which server is meant. */
  public boolean isSentinel() {
    return kind == Kind.SENTINEL;
  }

  /** Returns whether connections are TLS. */
  public boolean isTls() {
    return tls;
  }

  public int database() {
    return database;
  }

  /** Returns the URL without credentials. */
  @Override
  public String toString() {
    return text("");
  }

  /** Returns the URL with its password hidden. */
  public String masked() {
    return text(login.password == null ? "" : login.encodedUser() + ":***@");
  }

  /** Returns the URL with its password. */
  public String unmasked() {
    return text(
        login.password == null ? "" : login.encodedUser() + ":" + encoded(login.password) + "@");
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RedisUrl that
        && unmasked().equals(that.unmasked())
        && Objects.equals(login.clientName, that.login.clientName);
  }

  @Override
  public int hashCode() {
    return unmasked().hashCode();
  }

  /** Returns a text with all but letters, digits, dot, dash and underscore percent-encoded. */
  public static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  Kind kind() {
    return kind;
  }

  List<Address> hosts() {
    return hosts;
  }

  @Nullable String user() {
    return login.user;
  }

  @Nullable String password() {
    return login.password;
  }

  /** Returns the name that connections give themselves, or null if they have none. */
  @Nullable String clientName() {
    return login.clientName;
  }

  /** Returns the name by which sentinels know the master; empty where there are none. */
  String master() {
    return master;
  }

  private String text(String credentials) {
    boolean single = kind == Kind.SINGLE;
    return (tls && single ? "rediss" : "redis" + kind.suffix)
        + "://"
        + credentials
        + String.join(",", hosts.stream().map(Address::toString).toList())
        + (database == 0 ? "" : "/" + database)
        + (tls && !single ? "?tls=true" : "")
        + (master.isEmpty() ? "" : "#" + master);
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

  /** The credentials, and the name of the connections. */
  private record Login(
      @Nullable String user, @Nullable String password, @Nullable String clientName) {

    static Login parse(@Nullable String text) {
      if (text == null) {
        return new Login(null, null, null);
      }
      int colon = text.indexOf(':');
      return new Login(
          colon > 0 ? decoded(text.substring(0, colon)) : null,
          decoded(text.substring(colon + 1)),
          null);
    }

    String encodedUser() {
      return user == null ? "" : encoded(user);
    }

    private static String decoded(String text) {
      try {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "url must have user and password percent-encoded: write %25 for %");
      }
    }
  }

  /** How the servers stand to one another. */
  enum Kind {
    SINGLE(""),
    SENTINEL("-sentinel"),
    CLUSTER("-cluster");

    private final String suffix;

    Kind(String suffix) {
      this.suffix = suffix;
    }

    private static Kind of(String scheme) {
      for (Kind kind : values()) {
        if (scheme.equals("redis" + kind.suffix)) {
          return kind;
        }
      }
      throw new IllegalArgumentException(
          "url must begin with redis://, rediss://, redis-cluster:// or redis-sentinel://");
    }
  }
}
