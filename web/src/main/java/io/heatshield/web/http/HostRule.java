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
 * Which names a client may call the door by, and which pages may ask it for more than a read.
 *
 * <p>A page of a stranger can make a browser resolve the stranger's name to this machine and then
 * talk to the door as if it were its own site; only the Host header gives it away. A door on a
 * loopback address therefore takes {@code localhost}, {@code 127.0.0.1}, {@code [::1]}, its own
 * address and the names it was told. A door on any other address also takes every Host that is an
 * IP literal, because a literal cannot be made to resolve elsewhere and the door cannot know under
 * which addresses it is reached. Ports are not compared: a forwarded port is nobody's attack.
 *
 * <p>The Origin header, where a browser sends it, has to name the same host and port as the Host
 * header; the scheme is left out, for a proxy may have ended TLS in front of the door.
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
   * Returns the rule of a door.
   *
   * @param bound the address the door listens on
   * @param allowed further names, without ports
   */
  public static HostRule of(InetSocketAddress bound, Collection<String> allowed) {
    InetAddress ip = bound.getAddress();
    var rule = new HostRule(ip != null && !ip.isLoopbackAddress());
    rule.names.addAll(Set.of("localhost", "127.0.0.1", "[::1]"));
    rule.names.add(normal(bound.getHostString()));
    if (ip != null) {
      String address = NetUtil.toAddressString(ip);
      rule.names.add(address.indexOf(':') >= 0 ? "[" + address + "]" : address);
    }
    allowed.forEach(name -> rule.names.add(normal(name)));
    return rule;
  }

  /** Returns whether text has the form of a Host header: a name or literal, and perhaps a port. */
  static boolean isWellFormed(String host) {
    return AUTHORITY.matcher(host).matches();
  }

  /** Returns whether a client may call the door by this Host header. */
  boolean allows(String host) {
    Matcher parts = AUTHORITY.matcher(host);
    if (!parts.matches()) {
      return false;
    }
    String name = normal(parts.group(1));
    return names.contains(name)
        || (anyLiteral && (NetUtil.isValidIpV4Address(name) || name.startsWith("[")));
  }

  /** Returns whether a page of this origin, null if there is none, is the door's own. */
  static boolean isOwn(@Nullable String origin, @Nullable String host) {
    if (origin == null) {
      return true;
    }
    Matcher parts = ORIGIN.matcher(origin);
    return host != null && parts.matches() && parts.group(1).equalsIgnoreCase(host);
  }

  private static String normal(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }
}
