package io.heatshield.shield;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Encodes commands and error replies in the protocol of Redis. */
final class RespEncoder {
  private RespEncoder() {}

  /** Returns a command of these words. */
  static byte[] command(List<byte[]> words) {
    int size = 16;
    for (byte[] word : words) {
      size += word.length + 16;
    }
    var out = new ByteArrayOutputStream(size);
    out.writeBytes(ascii("*" + words.size() + "\r\n"));
    for (byte[] word : words) {
      out.writeBytes(ascii("$" + word.length + "\r\n"));
      out.writeBytes(word);
      out.write('\r');
      out.write('\n');
    }
    return out.toByteArray();
  }

  /** Returns a command of a name and other words. */
  static byte[] command(String name, byte[]... words) {
    byte[][] all = new byte[words.length + 1][];
    all[0] = ascii(name);
    System.arraycopy(words, 0, all, 1, words.length);
    return command(Arrays.asList(all));
  }

  /** Returns an error reply, for example of {@code "ERR syntax error"}. */
  static byte[] error(String text) {
    return ("-" + text + "\r\n").getBytes(StandardCharsets.UTF_8);
  }

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
