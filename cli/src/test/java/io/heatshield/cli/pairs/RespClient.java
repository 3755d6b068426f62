package io.heatshield.cli.pairs;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A blocking client of both protocols, plaintext or TLS, that shows replies as text.
 *
 * <p>A status is its text, a bulk string is in quotes, an integer in parentheses, an array in
 * brackets; nil is {@code nil} in both protocols, an error begins with a dash. Not for use by
 * several threads.
 */
final class RespClient implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 30_000;

  private final Socket socket;
  private final InputStream in;

  private RespClient(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream());
  }

  /** Connects to a port of this machine, with TLS if there is a context. */
  static RespClient open(int port, @Nullable SSLContext tls) throws IOException {
    var socket = new Socket();
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(PATIENCE_MILLIS);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
    return new RespClient(
        tls == null
            ? socket
            : tls.getSocketFactory().createSocket(socket, "127.0.0.1", port, true));
  }

  /** Sends one command and returns its reply. */
  String call(String... words) throws IOException {
    send(List.of(List.of(words)));
    return reply();
  }

  /** Sends commands in one piece. */
  void send(List<List<String>> commands) throws IOException {
    var bytes = new ByteArrayOutputStream();
    for (List<String> words : commands) {
      bytes.writeBytes(ascii("*" + words.size() + "\r\n"));
      for (String word : words) {
        bytes.writeBytes(ascii("$" + word.length() + "\r\n" + word + "\r\n"));
      }
    }
    socket.getOutputStream().write(bytes.toByteArray());
    socket.getOutputStream().flush();
  }

  /** Waits for the next reply. */
  String reply() throws IOException {
    String header = line();
    String rest = header.substring(1);
    return switch (header.charAt(0)) {
      case '+' -> rest;
      case '-' -> header;
      case ':' -> "(" + rest + ")";
      case '_' -> "nil";
      case ',', '#', '(' -> rest;
      case '$', '=' -> bulk(Integer.parseInt(rest));
      case '*', '~', '>' -> array(Integer.parseInt(rest));
      case '%' -> array(2 * Integer.parseInt(rest));
      default -> throw new IOException("not a reply: " + header);
    };
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private String bulk(int length) throws IOException {
    if (length < 0) {
      return "nil";
    }
    byte[] bytes = in.readNBytes(length + 2);
    if (bytes.length < length + 2) {
      throw new EOFException("the connection ended inside a reply");
    }
    return "\"" + new String(bytes, 0, length, StandardCharsets.US_ASCII) + "\"";
  }

  private String array(int length) throws IOException {
    if (length < 0) {
      return "nil";
    }
    var items = new ArrayList<String>();
    for (int i = 0; i < length; i++) {
      items.add(reply());
    }
    return items.toString();
  }

  private String line() throws IOException {
    var line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("the connection ended before a reply");
      }
      if (b != '\r') {
        line.write(b);
      }
    }
    if (line.size() == 0) {
      throw new IOException("not a reply: an empty line");
    }
    return line.toString(StandardCharsets.US_ASCII);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
