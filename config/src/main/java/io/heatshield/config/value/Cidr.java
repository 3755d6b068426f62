package io.heatshield.config.value;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * A network of addresses, written {@code 10.0.0.0/8} or {@code fd00::/8}; an address alone is a
 * network of one.
 *
 * @param address the first address, without any bit past the prefix
 * @param prefix the number of leading bits that all addresses share
 */
public record Cidr(InetAddress address, int prefix) {

  /**
   * Parses a network.
   *
   * @throws IllegalArgumentException if the text is not a network or has bits past its prefix
   */
  public static Cidr parse(String text) {
    int slash = text.indexOf('/');
    InetAddress address = IpLiteral.parse(slash < 0 ? text : text.substring(0, slash));
    if (address == null) {
      throw new InvalidValueException(
          "must be an address or a network, for example 10.0.0.0/8 or ::1");
    }
    int bits = address.getAddress().length * 8;
    int prefix = slash < 0 ? bits : prefix(text.substring(slash + 1), bits);
    InetAddress first = masked(address, prefix);
    if (!first.equals(address)) {
      throw new InvalidValueException(
          "the address has bits past its prefix", "write " + new Cidr(first, prefix));
    }
    return new Cidr(address, prefix);
  }

  /** Returns whether an address is in the network. */
  public boolean contains(InetAddress other) {
    return other.getAddress().length == address.getAddress().length
        && masked(other, prefix).equals(address);
  }

  @Override
  public String toString() {
    return address.getHostAddress() + "/" + prefix;
  }

  private static int prefix(String text, int bits) {
    String problem = "the prefix after the slash must be a whole number from 0 to " + bits;
    return Numbers.readInt(text, 0, bits, problem);
  }

  private static InetAddress masked(InetAddress address, int prefix) {
    byte[] bytes = address.getAddress();
    for (int i = 0; i < bytes.length; i++) {
      int kept = Math.max(0, Math.min(8, prefix - i * 8));
      bytes[i] &= (byte) (0xff00 >> kept);
    }
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new AssertionError("an address keeps its length", e);
    }
  }
}
