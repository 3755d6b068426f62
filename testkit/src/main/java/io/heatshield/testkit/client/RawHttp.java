package io.heatshield.testkit.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A blocking HTTP/1.1 client that sends exactly the given bytes and reads responses one by one.
 *
 * <p>Not for use by several threads.
 */
public final class RawHttp implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = (int) Duration.ofSeconds(30).toMillis();

  private final Socket socket;
  private final InputStream in;

  /** Connects. */
  public RawHttp(InetSocketAddress address) {
    this(new Socket(), address);
  }

  /** Connects the given socket, for example a TLS socket. */
  public RawHttp(Socket unconnected, InetSocketAddress address) {
    try {
      socket = unconnected;
      socket.connect(address, TIMEOUT_MILLIS);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.setTcpNoDelay(true);
      in = socket.getInputStream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends text, one byte per character; {@code \n} is sent as CR LF. */
  public RawHttp send(String text) {
    return sendRaw(text.replace("\n", "\r\n"));
  }

  /** Sends text without changing line ends, one byte per character. */
  public RawHttp sendRaw(String text) {
    try {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends a GET request. */
  public RawHttp get(String path) {
    return send("GET " + path + " HTTP/1.1\nHost: localhost\n\n");
  }

  /** Closes the sending half of the connection. */
  public RawHttp endInput() {
    try {
      socket.shutdownOutput();
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads one response; without a Content-Length it is taken to have no body. */
  public Answer answer() {
    return answer(true);
  }

  /** Reads one response; pass false for the response to a HEAD request, which has no body. */
  public Answer answer(boolean withBody) {
    String first = line();
    Map<String, String> headers = new LinkedHashMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    int length = withBody ? Integer.parseInt(headers.getOrDefault("content-length", "0")) : 0;
    try {
      byte[] body = in.readNBytes(length);
      return new Answer(
          Integer.parseInt(first.split(" ", -1)[1]),
          headers,
          new String(body, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads a line; fails at the end of the stream. */
  public String line() {
    var line = new ByteArrayOutputStream();
    try {
      for (int b = in.read(); b != '\n'; b = in.read()) {
        if (b < 0) {
          throw new IOException(
              "the server closed the connection after: " + line.toString(StandardCharsets.UTF_8));
        }
        line.write(b);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String text = line.toString(StandardCharsets.UTF_8);
    return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
  }

  /** Reads until the end of the stream and returns the bytes that were read. */
  public String rest() {
    try {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A response, whose header names are in lower case. */
  public record Answer(int status, Map<String, String> headers, String body) {

    /** Returns a header, or an empty text. */
    public String header(String name) {
      return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }
  }
}
