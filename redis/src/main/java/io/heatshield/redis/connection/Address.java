package io.heatshield.redis.connection;

/**
 * The host and port of a server.
 *
 * @param host a name or an IP address; IPv6 without brackets
 */
public record Address(String host, int port) {
  private static final int MAX_PORT = 65_535;

  /** Checks that the host has only characters of names and addresses. */
  public Address {
    if (!host.matches("[A-Za-z0-9._:%-]{1,255}")) {
      throw new IllegalArgumentException("host must be a name or an address");
    }
    if (port < 1 || port > MAX_PORT) {
      throw new IllegalArgumentException("port must be 1 to " + MAX_PORT + ": " + port);
    }
  }

  /**
   * Parses {@code host}, {@code host:port} or {@code [IPv6]:port}.
   *
   * @param defaultPort the port of a text without one
   */
  public static Address parse(String text, int defaultPort) {
    int colon = text.indexOf(':', text.startsWith("[") ? text.indexOf(']') + 1 : 0);
    return colon < 0 ? new Address(withoutBrackets(text), defaultPort) : parseAt(colon, text);
  }

  /** Parses the address in a redirection, in which IPv6 has no brackets. */
  public static Address ofRedirection(String text) {
    return parseAt(text.lastIndexOf(':'), text);
  }

  private static Address parseAt(int colon, String text) {
    String port = text.substring(colon + 1);
    if (colon < 0 || !port.matches("[0-9]{1,5}")) {
      throw new IllegalArgumentException("port must be a number of 1 to 5 digits");
    }
    return new Address(withoutBrackets(text.substring(0, colon)), Integer.parseInt(port));
  }

  private static String withoutBrackets(String host) {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }

  @Override
  public String toString() {
    return host.contains(":") ? "[" + host + "]:" + port : host + ":" + port;
  }
}
