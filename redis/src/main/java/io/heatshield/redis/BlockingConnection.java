package io.heatshield.redis;

import io.heatshield.redis.connection.Address;
import io.heatshield.redis.connection.ConnectionFactory;
import io.heatshield.redis.connection.ServerConnection;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/** A connection on which one thread sends a command at a time and waits for its reply. */
public final class BlockingConnection implements AutoCloseable {
  private final ServerConnection connection;

  private BlockingConnection(ServerConnection connection) {
    this.connection = connection;
  }

  /** Connects to the first server of a URL that accepts, as {@link #openAny} does. */
  public static BlockingConnection open(RedisUrl url, Duration timeout) throws RedisCallException {
    return openAny(List.of(url), timeout);
  }

  /**
   * Connects to the first of several servers that accepts the connection and the credentials.
   *
   * @param timeout for the connection, and for every reply
   * @throws RedisCallException if none does
   */
  public static BlockingConnection openAny(List<RedisUrl> urls, Duration timeout)
      throws RedisCallException {
    RedisCallException last = new RedisCallException("its servers are not known");
    for (RedisUrl url : urls) {
      ConnectionFactory factory = Redis.builder(url).connectTimeout(timeout).toData();
      for (Address server : url.hosts()) {
        try {
          return new BlockingConnection(factory.open(server));
        } catch (JedisException e) {
          last = failed(e);
        }
      }
    }
    throw last;
  }

  /**
   * Sends a command and returns the reply: a {@link Long}, bytes, a list of these, or null for nil.
   *
   * @throws RedisCallException if the reply is an error or does not arrive; after the latter the
   *     connection cannot be used any more
   */
  public @Nullable Object call(String command, String... arguments) throws RedisCallException {
    try {
      return connection.call(Protocol.Command.valueOf(command), arguments);
    } catch (JedisException e) {
      throw failed(e);
    }
  }

  @Override
  public void close() {
    connection.abort();
  }

  private static RedisCallException failed(JedisException e) {
    String text = String.valueOf(e.getMessage());
    return new RedisCallException(e instanceof JedisDataException ? text : "it does not answer");
  }
}
