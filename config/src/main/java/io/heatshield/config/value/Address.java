package io.heatshield.config.value;

import java.net.InetAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of a port or of another server: a host and a port number.
 *
 * @param host a name or a numeric address, IPv6 without brackets
 * @param port 0 to 65535; 0 takes any free port
 */
public record Address(String host, int port) {
  private static final Pattern HOST_AND_PORT =
      Pattern.compile("(\\[[^\\[\\]]*\\]|[^:\\[\\]]*):([^:\\[\\]]*)");
  private static final Pattern NAME =
      Pattern.compile(
          "(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9])?(\\.[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9])?)*");
  private static final Pattern LIKE_A_NUMBER = Pattern.compile("[0-9.]+");
  private static final String EXPECTED = "must be host:port, for example 127.0.0.1:8080";

  /** Creates an address. */
  public Address {
    if (port < 0 || port > 65535) {
      throw new IllegalArgumentException("port must be 0 to 65535: " + port);
    }
  }

  /**
   * Parses an address.
   *
   * @throws IllegalArgumentException if the text is not an address
   */
  public static Address parse(String text) {
    Matcher parts = HOST_AND_PORT.matcher(text);
    if (!parts.matches()) {
      if (IpLiteral.parse(text) != null && text.contains(":")) {
        throw new InvalidValueException(
            EXPECTED, "put an IPv6 address in brackets, as in [::1]:8080");
      }
      throw new InvalidValueException(EXPECTED);
    }
    return new Address(host(parts.group(1)), port(parts.group(2)));
  }

  /** Parses a port number. */
  public static int port(String text) {
    return Numbers.readInt(text, 0, 65535, "the port must be a whole number from 0 to 65535");
  }

  /** Parses a host; the brackets of an IPv6 address are removed. */
  public static String host(String text) {
    if (text.isEmpty()) {
      throw new InvalidValueException(
          "the host is missing", "write 127.0.0.1 for this machine alone, 0.0.0.0 for all");
    }
    if (text.startsWith("[") && text.endsWith("]")) {
      String inner = text.substring(1, text.length() - 1);
      if (!inner.contains(":") || IpLiteral.parse(inner) == null) {
        throw new InvalidValueException("the brackets must hold an IPv6 address, as in [::1]:8080");
      }
      return inner;
    }
    boolean numeric = LIKE_A_NUMBER.matcher(text).matches();
    if (numeric ? IpLiteral.parse(text) == null : !NAME.matcher(text).matches()) {
      throw new InvalidValueException(
          "the host must be a name, an IPv4 address or an IPv6 address in brackets");
    }
    return text;
  }

  /**
   * Returns whether only this machine can reach the address. A name other than {@code localhost} is
   * assumed to be reachable; it is not resolved.
   */
  public boolean isLoopback() {
    InetAddress literal = IpLiteral.parse(host);
    return literal != null ? literal.isLoopbackAddress() : host.equalsIgnoreCase("localhost");
  }

  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
