package io.heatshield.config.value;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses numeric addresses without resolving names. */
public final class IpLiteral {
  private static final Pattern V4 =
      Pattern.compile("([0-9]{1,3})\\.([0-9]{1,3})\\.([0-9]{1,3})\\.([0-9]{1,3})");
  private static final Pattern V6 = Pattern.compile("[0-9a-fA-F:.]{2,45}");

  private IpLiteral() {}

  /** Parses an address without brackets; returns null if it is not numeric. */
  public static @Nullable InetAddress parse(String text) {
    try {
      Matcher v4 = V4.matcher(text);
      if (v4.matches()) {
        byte[] bytes = new byte[4];
        for (int i = 0; i < 4; i++) {
          String part = v4.group(i + 1);
          int value = Integer.parseInt(part);
          if (value > 255 || (part.length() > 1 && part.startsWith("0"))) {
            return null;
          }
          bytes[i] = (byte) value;
        }
        return InetAddress.getByAddress(bytes);
      }
      // With a colon, Java parses the text as IPv6 or fails, without a lookup.
      return text.contains(":") && V6.matcher(text).matches() ? InetAddress.getByName(text) : null;
    } catch (UnknownHostException e) {
      return null;
    }
  }
}
