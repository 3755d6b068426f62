package io.heatshield.redis.connection;

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
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.RedisInputStream;

/**
 * A Jedis connection that never reconnects.
 *
 * <p>One thread uses it; only {@link #abort} may be called by any thread.
 */
public final class ServerConnection extends Connection {
  /*
   * Jedis reconnects in the middle of a pipeline when it finds the socket closed. The replies to
   * the second half would then be taken for those to the first. So the socket factory returns one
   * socket and then fails. Pinned by ServerConnectionTest.
   */
  private final Socket plain;
  private final Address peer;
  private @Nullable RedisInputStream input;
  private @Nullable String refusedName;
  private boolean resp3;

  /**
   * Logs in over a connected socket.
   *
   * @param plain the socket below TLS, or the same
   */
  ServerConnection(Socket plain, Socket socket, JedisClientConfig config, Address peer) {
    super(once(socket), config);
    this.plain = plain;
    this.peer = peer;
  }

  /** Returns the address of the server. */
  public Address peer() {
    return peer;
  }

  /** Sends a command and returns its reply, as {@link #read} does. */
  public @Nullable Object call(ProtocolCommand command, String... arguments) {
    sendCommand(command, arguments);
    flush();
    return read();
  }

  /** Switches to RESP3, in which the server may push messages. */
  public void switchToResp3() {
    resp3 = true;
    call(Protocol.Command.HELLO, "3");
  }

  /** Sets the name that CLIENT LIST shows; a server that refuses it is used without a name. */
  void setName(String name) {
    refusedName = null;
    try {
      call(Protocol.Command.CLIENT, "SETNAME", name);
    } catch (JedisDataException e) {
      // The server is busy, or its user may not do this: nothing depends on the name.
      refusedName = isBusy(e) ? name : null;
    }
  }

  /** Sets the name again if the server was busy and refused it. */
  public void retryName() {
    if (refusedName != null) {
      setName(refusedName);
    }
  }

  /** Returns whether an exception is the error reply BUSY or LOADING. */
  public static boolean isBusy(RuntimeException e) {
    String text = e instanceof JedisDataException ? String.valueOf(e.getMessage()) : "";
    return text.startsWith("BUSY ") || text.startsWith("LOADING ");
  }

  /** Returns the code of an error reply, which contains no key or secret: its first word. */
  public static String errorCode(String reply) {
    int end = reply.indexOf(' ');
    String word = end < 0 ? reply : reply.substring(0, end);
    return word.matches("[A-Z]{1,20}") ? word : "ERR";
  }

  @Override
  public void flush() {
    super.flush();
  }

  /**
   * Waits for the next reply: a {@link Long}, bytes, a list of these, or null for nil.
   *
   * @throws JedisDataException if the reply is an error
   * @throws JedisConnectionException if no reply arrives, or one that is malformed
   */
  public @Nullable Object read() {
    return getUnflushedObject();
  }

  /**
   * Returns whether the connection is closed or has unread input. Once every reply was read, unread
   * input would be taken for the reply to the next command.
   */
  public boolean isUnusable() {
    try {
      return input != null && input.available() > 0;
    } catch (IOException closed) {
      return true;
    }
  }

  /** Closes the connection immediately, whatever its thread is doing. */
  public void abort() {
    abort(plain);
  }

  @Override
  protected @Nullable Object protocolRead(RedisInputStream in, PushConsumerChain consumers) {
    input = in;
    return resp3 ? ReplyReader.readResp3(in) : ReplyReader.read(in);
  }

  /** Closes a socket with a reset, so that closing does not wait for unsent data. */
  static void abort(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
    } catch (SocketException alreadyClosed) {
      // Closing again has no effect.
    }
    try {
      socket.close();
    } catch (IOException e) {
      // The next read or write fails in any case.
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
