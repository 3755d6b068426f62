package io.heatshield.redis;

import io.heatshield.redis.connection.Address;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The address of a Redis, with its credentials.
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
  private final Kind kind;
  private final boolean tls;
  private final List<Address> hosts;
  private final Login login;
  private final String master;
  private final int database;

  RedisUrl(Kind kind, boolean tls, List<Address> hosts, Login login, String master, int database) {
    this.kind = kind;
    this.tls = tls;
    this.hosts = hosts;
    this.login = login;
    this.master = master;
    this.database = database;
  }

  /**
   * Parses a URL.
   *
   * @throws IllegalArgumentException if the text is not such a URL; the message contains no part of
   *     it
   */
  public static RedisUrl parse(String text) {
    return RedisUrlParser.parse(text);
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
    var named = new Login(login.user, login.password, clientName);
    return new RedisUrl(kind, tls, hosts, named, master, database);
  }

  /**
   * Returns the URL of one server that a server of this Redis redirects to.
   *
   * @param hostAndPort as in a redirection; without a host, that of the first server
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

  /** Returns the servers as unresolved socket addresses. */
  public List<InetSocketAddress> servers() {
    return hosts.stream()
        .map(host -> InetSocketAddress.createUnresolved(host.host(), host.port()))
        .toList();
  }

  /** Returns whether the servers are sentinels, which name the master. */
  public boolean isSentinel() {
    return kind == Kind.SENTINEL;
  }

  /** Returns whether connections use TLS. */
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

  /** Percent-encodes all characters but letters, digits, dot, dash and underscore. */
  public static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  Kind kind() {
    return kind;
  }

  List<Address> hosts() {
    return hosts;
  }

  Login login() {
    return login;
  }

  /** Returns the name of the master that sentinels watch; empty for other kinds. */
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

  /** The credentials, and the name of the connections. */
  record Login(@Nullable String user, @Nullable String password, @Nullable String clientName) {
    private String encodedUser() {
      return user == null ? "" : encoded(user);
    }
  }

  /** The kinds of deployment. */
  enum Kind {
    SINGLE(""),
    SENTINEL("-sentinel"),
    CLUSTER("-cluster");

    final String suffix;

    Kind(String suffix) {
      this.suffix = suffix;
    }
  }
}
