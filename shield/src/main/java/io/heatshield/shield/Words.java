package io.heatshield.shield;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes commands. */
final class Words {
  private Words() {}

  /** Returns a command of words. */
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

  static byte[] command(String name) {
    return command(List.of(ascii(name)));
  }

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
