package io.heatshield.redis;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.PushConsumerChain;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.RedisInputStream;

/**
 * One connection of Jedis, which is made once: what was lost on it is never sent on another.
 *
 * <p>One thread uses it; {@link #abort} alone may come from another.
 */
final class Link extends Connection {
  /*
   * Jedis connects again in the middle of a pipeline when it finds the socket closed. The replies to
   * the second half would then be taken for those to the first. So the socket factory gives one
   * socket and then refuses. Pinned by LinkTest.
   */
  private static final byte[] ONE_KEY = {'1'};
  private static final byte[] LOAD = {'L', 'O', 'A', 'D'};

  private final Socket plain;
  private final Address peer;
  private @Nullable RedisInputStream input;
  private @Nullable String lateName;
  private boolean third;

  /**
   * Logs in over a connected socket.
   *
   * @param plain the socket below TLS, or the same
   * @param peer who is at its other end
   */
  Link(Socket plain, Socket socket, JedisClientConfig config, Address peer) {
    super(once(socket), config);
    this.plain = plain;
    this.peer = peer;
  }

  /** Returns who is at the other end. */
  Address peer() {
    return peer;
  }

  /** Puts a command into the pipeline. */
  void put(Command command) {
    byte[][] arguments = command.arguments;
    var words = new byte[3 + arguments.length][];
    words[0] = command.script.digest();
    words[1] = ONE_KEY;
    words[2] = command.key;
    System.arraycopy(arguments, 0, words, 3, arguments.length);
    if (command.asking) {
      sendCommand(Protocol.Command.ASKING);
    }
    sendCommand(Protocol.Command.EVALSHA, words);
  }

  /** Puts the loading of a script into the pipeline. */
  void putLoad(Script script) {
    sendCommand(Protocol.Command.SCRIPT, LOAD, script.source());
  }

  /** Goes over to RESP3, in which a server tells things unasked. */
  void speakThird() {
    third = true;
    sendCommand(Protocol.Command.HELLO, "3");
    send();
    next();
  }

  /** Sets the name that CLIENT LIST shows; a server that refuses it is used without a name. */
  void name(String name) {
    sendCommand(Protocol.Command.CLIENT, "SETNAME", name);
    send();
    try {
      next();
      lateName = null;
    } catch (JedisDataException e) {
      // The server is busy, or its user may not do this: nothing depends on the name.
      lateName = isBusy(e) ? name : null;
    }
  }

  /** Sets the name that a busy server refused, if it did. */
  void nameAgain() {
    String name = lateName;
    if (name != null) {
      name(name);
    }
  }

  /** Returns whether a server that is alive refused a command: it runs a script or loads data. */
  static boolean isBusy(RuntimeException e) {
    String text = e instanceof JedisDataException ? String.valueOf(e.getMessage()) : "";
    return text.startsWith("BUSY ") || text.startsWith("LOADING ");
  }

  /** Writes out what the pipeline holds. */
  void send() {
    flush();
  }

  /** Waits for the next reply, as {@link ReplyReader} has it. */
  @Nullable Object next() {
    return getUnflushedObject();
  }

  /**
   * Returns whether something came that nobody asked for, or the connection is closed: the next
   * reply would be taken for that to another command. Only when every reply was read.
   */
  boolean hasUnasked() {
    try {
      return input != null && input.available() > 0;
    } catch (IOException closed) {
      return true;
    }
  }

  /** Ends the connection at once, whatever its thread is doing. */
  void abort() {
    abort(plain);
  }

  @Override
  protected @Nullable Object protocolRead(RedisInputStream in, PushConsumerChain consumers) {
    input = in;
    return third ? ReplyReader.readThird(in) : ReplyReader.read(in);
  }

  /** Closes a socket with a reset: nothing on it is worth waiting for. */
  static void abort(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
    } catch (SocketException closedAlready) {
      // Closing once more does no harm.
    }
    try {
      socket.close();
    } catch (IOException gone) {
      // Its user finds it gone either way.
    }
  }

  private static JedisSocketFactory once(Socket socket) {
    var only = new AtomicReference<@Nullable Socket>(socket);
    return () -> {
      Socket taken = only.getAndSet(null);
      if (taken == null) {
        throw new JedisConnectionException("the connection was lost");
      }
      return taken;
    };
  }
}
