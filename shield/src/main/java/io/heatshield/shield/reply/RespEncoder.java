package io.heatshield.shield.reply;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Encodes commands and replies in the Redis protocol. */
public final class RespEncoder {
  private RespEncoder() {}

  /** Encodes a command. */
  public static byte[] command(List<byte[]> words) {
    var out = new ByteArrayOutputStream();
    out.writeBytes(ascii("*" + words.size() + "\r\n"));
    for (byte[] word : words) {
      out.writeBytes(ascii("$" + word.length + "\r\n"));
      out.writeBytes(word);
      out.writeBytes(ascii("\r\n"));
    }
    return out.toByteArray();
  }

  /** Encodes a command of a name and arguments. */
  public static byte[] command(String name, byte[]... words) {
    byte[][] all = new byte[words.length + 1][];
    all[0] = ascii(name);
    System.arraycopy(words, 0, all, 1, words.length);
    return command(Arrays.asList(all));
  }

  /** Encodes an error, for example {@code "ERR syntax error"}. */
  public static byte[] error(String text) {
    return ("-" + text + "\r\n").getBytes(StandardCharsets.UTF_8);
  }

  public static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
