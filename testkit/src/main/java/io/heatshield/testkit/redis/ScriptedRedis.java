package io.heatshield.testkit.redis;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A server on loopback that answers commands with bytes chosen by the test, for replies that a real
 * Redis does not give on demand.
 *
 * <p>Each connection has its own thread, which calls the script for every command. Any thread may
 * call any method.
 */
public final class ScriptedRedis implements AutoCloseable {
  /** The reply with which a script closes the connection instead of answering. */
  public static final String CLOSE_CONNECTION = "close connection";

  private final ServerSocket listener;
  private final Script script;
  private final List<String> received = new CopyOnWriteArrayList<>();
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

  private ScriptedRedis(ServerSocket listener, Script script) {
    this.listener = listener;
    this.script = script;
  }

  /** Starts a server that answers with the replies of the script. */
  public static ScriptedRedis start(Script script) {
    try {
      var listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
      var server = new ScriptedRedis(listener, script);
      daemon("scripted-redis-accept", server::acceptAll);
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the port that clients connect to. */
  public int port() {
    return listener.getLocalPort();
  }

  /** Returns how often the command with this name, in capitals, was received. */
  public long count(String name) {
    return received.stream().filter(name::equals).count();
  }

  /** Closes the port and all connections; safe to call twice. */
  @Override
  public void close() {
    closeQuietly(listener);
    sockets.forEach(ScriptedRedis::closeQuietly);
  }

  private void acceptAll() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        sockets.add(socket);
        daemon("scripted-redis", () -> serve(socket));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      OutputStream out = socket.getOutputStream();
      for (List<String> words = read(in); !words.isEmpty(); words = read(in)) {
        received.add(words.get(0));
        String reply = script.reply(words);
        if (reply.equals(CLOSE_CONNECTION)) {
          return;
        }
        out.write(reply.getBytes(StandardCharsets.ISO_8859_1));
      }
    } catch (IOException gone) {
      // The client has disconnected, or the test has closed the server.
    } finally {
      sockets.remove(socket);
    }
  }

  /** Returns the next command with its arguments, or an empty list at the end of the stream. */
  private static List<String> read(InputStream in) throws IOException {
    String header = line(in);
    var words = new ArrayList<String>();
    if (header.isEmpty()) {
      return words;
    }
    int count = Integer.parseInt(header.substring(1));
    for (int i = 0; i < count; i++) {
      int length = Integer.parseInt(line(in).substring(1));
      words.add(new String(in.readNBytes(length), StandardCharsets.ISO_8859_1));
      line(in);
    }
    return words;
  }

  private static String line(InputStream in) throws IOException {
    var line = new StringBuilder();
    for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
      if (b != '\r') {
        line.append((char) b);
      }
    }
    return line.toString();
  }

  private static void daemon(String name, Runnable work) {
    var thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  private static void closeQuietly(AutoCloseable open) {
    try {
      open.close();
    } catch (Exception ignored) {
      // The client sees the end of the stream either way.
    }
  }

  /** The replies of the server. */
  @FunctionalInterface
  public interface Script {

    /** Returns the reply to a command, as Latin-1 text; empty for no reply. */
    String reply(List<String> words);
  }
}
