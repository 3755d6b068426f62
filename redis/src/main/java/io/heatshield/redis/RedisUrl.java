package io.heatshield.redis;

import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Which Redis is meant, and who asks.
 *
 * <pre>
 * redis://[[user]:password@]host[:port][/database]
 * redis-sentinel://[[user]:password@]host[:port],.../master[/database]
 * redis-cluster://[[user]:password@]host[:port],...
 * </pre>
 *
 * <p>With {@code rediss} in place of {@code redis} the connections are TLS. User and password are
 * percent-encoded; neither they nor a faulty address ever appear in a message or in {@link
 * #toString}. Immutable.
 */
public final class RedisUrl {
  private static final int MAX_LENGTH = 4096;
  private static final int MAX_HOSTS = 64;
  private static final int MAX_DATABASE = 65_535;

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
   * Reads an address.
   *
   * @throws IllegalArgumentException if it is none; the message names the rule and no part of the
   *     text
   */
  public static RedisUrl parse(String text) {
    int start = text.indexOf("://");
    if (start < 0 || text.length() > MAX_LENGTH) {
      throw new IllegalArgumentException("url must begin with redis:// or another such scheme");
    }
    String scheme = text.substring(0, start).toLowerCase(Locale.ROOT);
    boolean tls = scheme.startsWith("rediss");
    Kind kind = kind(tls ? "redis" + scheme.substring("rediss".length()) : scheme);
    String rest = text.substring(start + "://".length());
    if (rest.indexOf('?') >= 0 || rest.indexOf('#') >= 0) {
      throw new IllegalArgumentException(
          "url must not have ? or #, which a password writes as %3F and %23");
    }
    int at = rest.lastIndexOf('@');
    String[] path = rest.substring(at + 1).split("/", -1);
    List<Address> hosts =
        Arrays.stream(path[0].split(",", -1)).limit(MAX_HOSTS + 1L).map(Address::parse).toList();
    if (hosts.size() > (kind == Kind.SINGLE ? 1 : MAX_HOSTS)) {
      throw new IllegalArgumentException("url must not name so many hosts: " + hosts.size());
    }
    String access = at < 0 ? "" : rest.substring(0, at);
    int colon = access.indexOf(':');
    if (at >= 0 && colon < 0) {
      throw new IllegalArgumentException("url must have user:password or :password before the @");
    }
    return new RedisUrl(
        kind,
        tls,
        hosts,
        new Login(
            colon > 0 ? decoded(access.substring(0, colon)) : null,
            colon >= 0 ? decoded(access.substring(colon + 1)) : null,
            null),
        kind == Kind.SENTINEL ? master(path) : "",
        database(kind, path));
  }

  /** Returns the same Redis asked as another. */
  public RedisUrl as(@Nullable String otherUser, @Nullable String otherPassword) {
    var other = new Login(otherUser, otherPassword, login.clientName);
    return new RedisUrl(kind, tls, hosts, other, master, database);
  }

  /**
   * Returns the same Redis asked by connections that have a name in its CLIENT LIST.
   *
   * @throws IllegalArgumentException if Redis does not take the name
   */
  public RedisUrl named(String clientName) {
    if (!clientName.matches("[!-~]{1,255}")) {
      throw new IllegalArgumentException("clientName must be of visible ASCII characters");
    }
    var other = new Login(login.user, login.password, clientName);
    return new RedisUrl(kind, tls, hosts, other, master, database);
  }

  /**
   * Returns one server of the same Redis, to which this one points.
   *
   * @param hostAndPort as a redirection has it; without a host, the first server's own
   * @throws IllegalArgumentException if it is none
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

  /** Returns the address without user and password. */
  @Override
  public String toString() {
    var text = new StringBuilder(tls ? "rediss" : "redis").append(kind.suffix).append("://");
    for (int i = 0; i < hosts.size(); i++) {
      text.append(i == 0 ? "" : ",").append(hosts.get(i));
    }
    text.append(master.isEmpty() ? "" : "/" + master);
    return text.append(database == 0 ? "" : "/" + database).toString();
  }

  Kind kind() {
    return kind;
  }

  boolean tls() {
    return tls;
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

  public int database() {
    return database;
  }

  private static Kind kind(String scheme) {
    for (Kind kind : Kind.values()) {
      if (scheme.equals("redis" + kind.suffix)) {
        return kind;
      }
    }
    throw new IllegalArgumentException(
        "url must begin with redis://, redis-sentinel://, redis-cluster:// or rediss... for TLS");
  }

  private static String master(String[] path) {
    if (path.length < 2 || path[1].isEmpty() || !path[1].matches("[A-Za-z0-9._-]{1,255}")) {
      throw new IllegalArgumentException("url must name the master after the sentinels: /master");
    }
    return path[1];
  }

  private static int database(Kind kind, String[] path) {
    int before = kind == Kind.SENTINEL ? 2 : 1;
    boolean none = path.length <= before || (path.length == before + 1 && path[before].isEmpty());
    if (none) {
      return 0;
    }
    if (kind == Kind.CLUSTER) {
      throw new IllegalArgumentException("url must not name a database: a cluster has but one");
    }
    if (path.length > before + 1 || !path[before].matches("[0-9]{1,5}")) {
      throw new IllegalArgumentException("url must end with the number of a database");
    }
    int number = Integer.parseInt(path[before]);
    if (number > MAX_DATABASE) {
      throw new IllegalArgumentException("database must be 0 to " + MAX_DATABASE + ": " + number);
    }
    return number;
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("url must have a percent sign written as %25");
    }
  }

  /** Who asks. */
  private record Login(
      @Nullable String user, @Nullable String password, @Nullable String clientName) {}

  /** How the servers stand to one another. */
  enum Kind {
    SINGLE(""),
    SENTINEL("-sentinel"),
    CLUSTER("-cluster");

    private final String suffix;

    Kind(String suffix) {
      this.suffix = suffix;
    }
  }
}
