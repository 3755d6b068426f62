package io.heatshield.resp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Bytes on their way to a parser, in pieces, and what it makes of them. */
final class Wire {
  private Wire() {}

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Returns the commands, each as its words joined by {@code |}, and the fault if there is one. */
  static List<String> commands(RespLimits limits, byte[]... pieces) {
    var parser = new CommandParser(limits);
    ByteBuf in = Unpooled.buffer();
    var seen = new ArrayList<String>();
    try {
      for (byte[] piece : pieces) {
        in.writeBytes(piece);
        while (parser.read(in)) {
          seen.add(shown(parser.take()));
        }
        in.discardReadBytes();
      }
    } catch (ProtocolException e) {
      seen.add("fault: " + e.getMessage());
    }
    return seen;
  }

  static List<String> commands(String text) {
    return commands(RespLimits.defaults(), bytes(text));
  }

  static String shown(byte[][] words) {
    return String.join(
        "|",
        Arrays.stream(words).map(word -> new String(word, StandardCharsets.ISO_8859_1)).toList());
  }

  /** Returns the bytes cut into pieces of one size. */
  static byte[][] pieces(byte[] bytes, int size) {
    int count = (bytes.length + size - 1) / size;
    byte[][] pieces = new byte[count][];
    for (int i = 0; i < count; i++) {
      pieces[i] = Arrays.copyOfRange(bytes, i * size, Math.min(bytes.length, (i + 1) * size));
    }
    return pieces;
  }

  static byte[] command(byte[]... words) {
    ByteBuf out = Unpooled.buffer();
    out.writeBytes(bytes("*" + words.length + "\r\n"));
    for (byte[] word : words) {
      out.writeBytes(bytes("$" + word.length + "\r\n")).writeBytes(word).writeBytes(bytes("\r\n"));
    }
    byte[] all = new byte[out.readableBytes()];
    out.readBytes(all);
    return all;
  }
}
