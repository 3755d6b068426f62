package io.heatshield.cli.demo;

import io.heatshield.resp.ProtocolException;
import io.heatshield.resp.Reply;
import io.heatshield.resp.ReplyParser;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * A client of the data door that collects commands and sends them in one piece.
 *
 * <p>For one thread.
 */
final class DoorClient implements AutoCloseable {
  private static final int TIMEOUT_MS = 5_000;
  private static final int MAX_REPLY = 1 << 16;
  private static final byte[] END = {'\r', '\n'};

  private final Socket socket;
  private final ReplyParser parser = new ReplyParser(MAX_REPLY);
  private final ByteBuf out = Unpooled.buffer();
  private final ByteBuf in = Unpooled.buffer();
  private final byte[] piece = new byte[MAX_REPLY];
  private int waiting;

  /** Connects to a door on this machine, under a name. */
  DoorClient(int port, String name) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MS);
    add(bytes("CLIENT"), bytes("SETNAME"), bytes(name));
    flush();
  }

  /** Adds a command to what is sent next. */
  void add(byte[]... words) {
    out.writeBytes(bytes("*" + words.length + "\r\n"));
    for (byte[] word : words) {
      out.writeBytes(bytes("$" + word.length + "\r\n")).writeBytes(word).writeBytes(END);
    }
    waiting++;
  }

  /** Sends what was added and reads all answers; an error among them is an exception. */
  void flush() {
    try {
      out.readBytes(socket.getOutputStream(), out.readableBytes());
      out.clear();
      while (waiting > 0) {
        Reply reply = parser.read(in);
        if (reply == null) {
          in.discardReadBytes();
          int read = socket.getInputStream().read(piece);
          if (read < 0) {
            throw new IOException("the data door closed the connection");
          }
          in.writeBytes(piece, 0, read);
        } else if (reply.isError() && !reply.isError("THROTTLED ")) {
          throw new IOException("the data door answered " + reply);
        } else {
          waiting--;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ProtocolException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
