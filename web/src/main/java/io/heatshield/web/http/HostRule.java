package io.heatshield.web.http;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks the Host and Origin headers against DNS rebinding and cross-site requests.
 *
 * <p>A malicious page can make its own name resolve to this machine and then talk to this server as
 * if it were its own site; only the Host header reveals that. A server on a loopback address
 * therefore accepts {@code localhost}, {@code 127.0.0.1}, {@code [::1]}, its own address and the
 * configured names. A server on any other address also accepts every IP literal: a literal cannot
 * be rebound, and the server does not know all addresses that lead to it. Ports are not compared,
 * because they may be forwarded.
 *
 * <p>The Origin header, if present, must name the same host and port as the Host header. The scheme
 * is ignored, because a proxy may terminate TLS.
 */
public final class HostRule {
  private static final Pattern AUTHORITY =
      Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?");
  private static final Pattern ORIGIN = Pattern.compile("https?://(.+)");

  private final Set<String> names = new HashSet<>();
  private final boolean anyLiteral;

  private HostRule(boolean anyLiteral) {
    this.anyLiteral = anyLiteral;
  }

  /**
   * Returns the rule for a server.
   *
   * @param bound the address that the server listens on
   * @param allowed additional names, without ports
   */
  public static HostRule of(InetSocketAddress bound, Collection<String> allowed) {
    InetAddress ip = bound.getAddress();
    var rule = new HostRule(ip != null && !ip.isLoopbackAddress());
    rule.names.addAll(Set.of("localhost", "127.0.0.1", "[::1]"));
    rule.names.add(normalize(bound.getHostString()));
    if (ip != null) {
      String address = NetUtil.toAddressString(ip);
      rule.names.add(address.indexOf(':') >= 0 ? "[" + address + "]" : address);
    }
    allowed.forEach(name -> rule.names.add(normalize(name)));
    return rule;
  }

  /** Returns whether a Host header is a name or IP literal with an optional port. */
  static boolean isWellFormed(String host) {
    return AUTHORITY.matcher(host).matches();
  }

  /** Returns whether a Host header is accepted. */
  boolean allows(String host) {
    Matcher parts = AUTHORITY.matcher(host);
    if (!parts.matches()) {
      return false;
    }
    String name = normalize(parts.group(1));
    return names.contains(name)
        || (anyLiteral && (NetUtil.isValidIpV4Address(name) || name.startsWith("[")));
  }

  /** Returns whether an Origin header is absent or names this server. */
  static boolean isOwn(@Nullable String origin, @Nullable String host) {
    if (origin == null) {
      return true;
    }
    Matcher parts = ORIGIN.matcher(origin);
    return host != null && parts.matches() && parts.group(1).equalsIgnoreCase(host);
  }

  private static String normalize(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }
}
