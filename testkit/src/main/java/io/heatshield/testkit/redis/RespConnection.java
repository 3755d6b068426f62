package io.heatshield.testkit.redis;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.StringJoiner;
import java.util.stream.Stream;

/**
 * A blocking RESP2 connection that returns replies as text, for assertions.
 *
 * <p>It shares no code with the project's own protocol code, so a bug in one does not hide a bug in
 * the other. A simple string, a bulk string and an integer are returned as their text, nil as
 * {@code (nil)}, an array with one element per line. Bulk bytes are decoded as UTF-8.
 *
 * <p>Not for use by several threads.
 */
public final class RespConnection implements AutoCloseable {
  private final Socket socket;
  private final InputStream in;

  private RespConnection(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream());
  }

  /**
   * Connects.
   *
   * @param timeout the time to wait for the connection and for each part of a reply, before a
   *     {@link java.net.SocketTimeoutException}
   */
  public static RespConnection open(String host, int port, Duration timeout) throws IOException {
    int millis = Math.toIntExact(Math.max(1, timeout.toMillis()));
    var socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(millis);
      socket.connect(new InetSocketAddress(host, port), millis);
      return new RespConnection(socket);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /**
   * Sends a command and returns its reply.
   *
   * @throws RedisErrorReply if the reply is an error
   */
  public String command(String name, String... arguments) throws IOException {
    return command(
        Stream.concat(Stream.of(name), Arrays.stream(arguments))
            .map(word -> word.getBytes(StandardCharsets.UTF_8))
            .toArray(byte[][]::new));
  }

  /** Sends a command of raw words and returns its reply, as {@link #command(String, String...)}. */
  public String command(byte[]... words) throws IOException {
    var request = new ByteArrayOutputStream();
    request.writeBytes(ascii("*" + words.length + "\r\n"));
    for (byte[] word : words) {
      request.writeBytes(ascii("$" + word.length + "\r\n"));
      request.writeBytes(word);
      request.writeBytes(ascii("\r\n"));
    }
    send(request.toByteArray());
    return reply();
  }

  /** Sends bytes unchanged. */
  public void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  /**
   * Waits for one reply and returns it.
   *
   * @throws RedisErrorReply if the reply is an error
   */
  public String reply() throws IOException {
    return read(line());
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private String read(String header) throws IOException {
    String rest = header.substring(1);
    switch (header.charAt(0)) {
      case '+', ':' -> {
        return rest;
      }
      case '-' -> throw new RedisErrorReply(rest);
      case '$' -> {
        return bulk(Integer.parseInt(rest));
      }
      case '*' -> {
        return array(Integer.parseInt(rest));
      }
      default ->
          throw new IOException("not a RESP2 reply: it begins with " + (int) header.charAt(0));
    }
  }

  private String bulk(int length) throws IOException {
    if (length < 0) {
      return "(nil)";
    }
    byte[] bytes = in.readNBytes(length + 2);
    if (bytes.length < length + 2) {
      throw new EOFException("the reply ends inside a bulk string");
    }
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }

  private String array(int length) throws IOException {
    if (length < 0) {
      return "(nil)";
    }
    var lines = new StringJoiner("\n");
    for (int i = 0; i < length; i++) {
      String header = line();
      // An error inside an array, from one command of a transaction, must not hide other replies.
      lines.add(header.charAt(0) == '-' ? header : read(header));
    }
    return lines.toString();
  }

  private String line() throws IOException {
    var line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("the connection ended before the reply was complete");
      }
      if (b != '\r') {
        line.write(b);
      }
    }
    if (line.size() == 0) {
      throw new IOException("not a RESP2 reply: an empty line");
    }
    return line.toString(StandardCharsets.UTF_8);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
