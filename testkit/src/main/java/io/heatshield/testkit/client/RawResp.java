package io.heatshield.testkit.client;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * A blocking client of RESP2 and RESP3 that returns replies as the bytes received, one character
 * per byte.
 *
 * <p>It shares no code with the project's own protocol code, so a bug in one does not hide a bug in
 * the other. Not for use by several threads.
 */
public final class RawResp implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 20_000;

  private final Socket socket;
  private final InputStream in;

  /** The bytes of the reply that is being read. */
  private final ByteArrayOutputStream received = new ByteArrayOutputStream();

  private RawResp(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream());
  }

  /** Connects. */
  public static RawResp open(String host, int port) {
    try {
      var socket = new Socket(host, port);
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      return new RawResp(socket);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends a command of words, one byte per character, and returns its reply. */
  public String call(String... words) {
    return send(words).reply();
  }

  /** Sends a command of words, one byte per character. */
  public RawResp send(String... words) {
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes(latin("*" + words.length + "\r\n"));
    for (String word : words) {
      bytes.writeBytes(latin("$" + word.length() + "\r\n" + word + "\r\n"));
    }
    return sendRaw(bytes.toByteArray());
  }

  /** Sends text unchanged, one byte per character. */
  public RawResp sendRaw(String text) {
    return sendRaw(latin(text));
  }

  /** Sends bytes unchanged. */
  public RawResp sendRaw(byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns the bytes of the next reply.
   *
   * @throws IllegalStateException if no reply arrives in time, the stream ends, or the bytes are
   *     not a reply
   */
  public String reply() {
    try {
      readReply();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    String text = text();
    received.reset();
    return text;
  }

  /** Reads until the end of the stream and returns the bytes that were read. */
  public String rest() {
    try {
      for (int b = in.read(); b >= 0; b = in.read()) {
        received.write(b);
      }
    } catch (IOException e) {
      // A reset ends the stream as well.
    }
    return text();
  }

  /** Returns the connection. */
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

  private void readReply() throws IOException {
    String line = readLine();
    char type = line.isEmpty() ? '\n' : line.charAt(0);
    switch (type) {
      case '+', '-', ',', '#', '_', '(' -> {}
      case ':' -> number(line);
      case '$', '=', '!' -> readBulk(number(line));
      case '*', '~', '>' -> readReplies(number(line));
      case '%' -> readReplies(2 * number(line));
      default -> throw new IOException("not a reply: " + line);
    }
  }

  private void readReplies(long count) throws IOException {
    for (long i = 0; i < count; i++) {
      readReply();
    }
  }

  private void readBulk(long length) throws IOException {
    for (long i = 0; i < length; i++) {
      readByte();
    }
    if (length >= 0 && (readByte() != '\r' || readByte() != '\n')) {
      throw new IOException("no CR LF after a bulk string");
    }
  }

  private String readLine() throws IOException {
    var line = new StringBuilder();
    for (int b = readByte(); b != '\n'; b = readByte()) {
      line.append((char) b);
    }
    int end = line.length() - 1;
    if (end < 0 || line.charAt(end) != '\r') {
      throw new IOException("no CR LF after: " + line);
    }
    return line.substring(0, end);
  }

  private int readByte() throws IOException {
    int b = in.read();
    if (b < 0) {
      throw new IOException("connection closed after: " + text());
    }
    received.write(b);
    return b;
  }

  private static long number(String line) throws IOException {
    try {
      return Long.parseLong(line.substring(1));
    } catch (NumberFormatException e) {
      throw new IOException("not a number: " + line, e);
    }
  }

  private String text() {
    return received.toString(StandardCharsets.ISO_8859_1);
  }

  private static byte[] latin(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
