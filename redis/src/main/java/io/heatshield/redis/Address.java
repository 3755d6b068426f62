package io.heatshield.redis;

/**
 * Where a server listens.
 *
 * @param host a name or an address; IPv6 without brackets
 */
record Address(String host, int port) {
  private static final int MAX_PORT = 65_535;
  private static final int MAX_HOST = 255;

  Address {
    if (host.isEmpty() || host.length() > MAX_HOST || !host.matches("[A-Za-z0-9._:%-]+")) {
      throw new IllegalArgumentException("host must be a name or an address");
    }
    if (port < 1 || port > MAX_PORT) {
      throw new IllegalArgumentException("port must be 1 to " + MAX_PORT + ": " + port);
    }
  }

  /**
   * Returns the address that a text such as {@code host}, {@code host:port}, {@code [::1]:port}
   * names.
   *
   * @param defaultPort the port of a text without one
   */
  static Address parse(String text, int defaultPort) {
    int colon = text.indexOf(':', text.startsWith("[") ? text.indexOf(']') + 1 : 0);
    return colon < 0 ? new Address(bare(text), defaultPort) : parseAt(colon, text);
  }

  /** Returns the address in a redirection, where the last colon stands before the port. */
  static Address ofRedirection(String text) {
    return parseAt(text.lastIndexOf(':'), text);
  }

  private static Address parseAt(int colon, String text) {
    String port = text.substring(colon + 1);
    if (colon < 0 || !port.matches("[0-9]{1,5}")) {
      throw new IllegalArgumentException("port must be a number of 1 to 5 digits");
    }
    return new Address(bare(text.substring(0, colon)), Integer.parseInt(port));
  }

  private static String bare(String host) {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }

  @Override
  public String toString() {
    return host.contains(":") ? "[" + host + "]:" + port : host + ":" + port;
  }
}
