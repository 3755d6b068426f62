package io.heatshield.redis;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * A connection on which one thread asks a server one thing after the other and waits for each
 * answer, for work beside the requests.
 */
public final class Talk implements AutoCloseable {
  private final Link link;

  private Talk(Link link) {
    this.link = link;
  }

  /**
   * Connects to the first server that an address names.
   *
   * @param patience how long to wait for the connection, and for every answer
   * @throws TalkException if it cannot be reached or does not let us in
   */
  public static Talk open(RedisUrl url, Duration patience) throws TalkException {
    TalkException last = new TalkException("no server is named");
    for (Address server : url.hosts()) {
      try {
        return new Talk(Access.toData(Redis.builder(url).connectTimeout(patience)).open(server));
      } catch (JedisException e) {
        last = failed(e);
      }
    }
    throw last;
  }

  /**
   * Connects to the first of several servers that lets us in.
   *
   * @throws TalkException if none does
   */
  public static Talk openAny(List<RedisUrl> servers, Duration patience) throws TalkException {
    TalkException last = new TalkException("its servers are not known");
    for (RedisUrl server : servers) {
      try {
        return open(server, patience);
      } catch (TalkException e) {
        last = e;
      }
    }
    throw last;
  }

  /**
   * Returns the answer: a {@link Long}, bytes, a list of these, or null for nil.
   *
   * @throws TalkException if it is an error or does not come; the connection is of no more use if
   *     it did not come
   */
  public @Nullable Object ask(String name, String... words) throws TalkException {
    try {
      link.sendCommand(Protocol.Command.valueOf(name), words);
      link.send();
      return link.next();
    } catch (JedisException e) {
      throw failed(e);
    }
  }

  @Override
  public void close() {
    link.abort();
  }

  private static TalkException failed(JedisException e) {
    String text = String.valueOf(e.getMessage());
    return new TalkException(e instanceof JedisDataException ? text : "it does not answer");
  }
}
