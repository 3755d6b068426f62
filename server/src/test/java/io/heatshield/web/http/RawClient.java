package io.heatshield.web.http;

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

/** A client that sends exactly the bytes it is told and reads answers one by one. */
final class RawClient implements AutoCloseable {
  private static final int PATIENCE_MS = (int) Duration.ofSeconds(30).toMillis();

  private final Socket socket;
  private final InputStream in;

  RawClient(InetSocketAddress address) {
    this(new Socket(), address);
  }

  RawClient(Socket unconnected, InetSocketAddress address) {
    try {
      socket = unconnected;
      socket.connect(address, PATIENCE_MS);
      socket.setSoTimeout(PATIENCE_MS);
      socket.setTcpNoDelay(true);
      in = socket.getInputStream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends text, one byte per character; {@code \n} is sent as CR LF. */
  RawClient send(String text) {
    return sendRaw(text.replace("\n", "\r\n"));
  }

  RawClient sendRaw(String text) {
    try {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  RawClient get(String path) {
    return send("GET " + path + " HTTP/1.1\nHost: localhost\n\n");
  }

  RawClient endInput() {
    try {
      socket.shutdownOutput();
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads one answer, by its length if it has one. */
  Answer answer() {
    return answer(true);
  }

  Answer answer(boolean withBody) {
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
  String line() {
    var line = new ByteArrayOutputStream();
    try {
      for (int b = in.read(); b != '\n'; b = in.read()) {
        if (b < 0) {
          throw new IOException(
              "the server closed after: " + line.toString(StandardCharsets.UTF_8));
        }
        line.write(b);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String text = line.toString(StandardCharsets.UTF_8);
    return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
  }

  /** Waits for the end of the stream and returns what came before it. */
  String rest() {
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

  record Answer(int status, Map<String, String> headers, String body) {

    String header(String name) {
      return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }
  }
}
