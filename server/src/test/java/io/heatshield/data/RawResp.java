package io.heatshield.data;

import io.heatshield.resp.ProtocolException;
import io.heatshield.resp.ReplyParser;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A blocking client that shows replies as the bytes that came, one character each. */
public final class RawResp implements AutoCloseable {
  private static final int PATIENCE_MS = 20_000;

  private final Socket socket;
  private final ByteBuf in = Unpooled.buffer();
  private final ReplyParser parser = new ReplyParser(64 << 20);

  private RawResp(Socket socket) {
    this.socket = socket;
  }

  public static RawResp open(String host, int port) {
    try {
      var socket = new Socket(host, port);
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(PATIENCE_MS);
      return new RawResp(socket);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends a command of words, one byte per character, and returns its reply. */
  public String call(String... words) {
    return send(words).reply();
  }

  public RawResp send(String... words) {
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes(latin("*" + words.length + "\r\n"));
    for (String word : words) {
      bytes.writeBytes(latin("$" + word.length() + "\r\n" + word + "\r\n"));
    }
    return sendRaw(bytes.toByteArray());
  }

  public RawResp sendRaw(String text) {
    return sendRaw(latin(text));
  }

  public RawResp sendRaw(byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the bytes of the next reply. */
  public String reply() {
    int from = in.readerIndex();
    try {
      // A reply is made of elements that the parser may take one by one.
      while (parser.read(in) == null) {
        byte[] piece = new byte[8192];
        int read = socket.getInputStream().read(piece);
        if (read < 0) {
          throw new IOException("closed after: " + text(from, in.writerIndex()));
        }
        in.writeBytes(piece, 0, read);
      }
      String text = text(from, in.readerIndex());
      if (!in.isReadable()) {
        in.clear();
      }
      return text;
    } catch (IOException | ProtocolException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits for the end of the stream and returns what came before it. */
  public String rest() {
    try {
      in.writeBytes(socket.getInputStream().readAllBytes());
      return text(in.readerIndex(), in.writerIndex());
    } catch (IOException e) {
      // A reset ends the stream as well.
      return text(in.readerIndex(), in.writerIndex());
    }
  }

  public Socket socket() {
    return socket;
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String text(int from, int to) {
    return in.toString(from, to - from, StandardCharsets.ISO_8859_1);
  }

  private static byte[] latin(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
