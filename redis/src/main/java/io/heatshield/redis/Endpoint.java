package io.heatshield.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/** Where a server is to be found, asked before every connection. */
@FunctionalInterface
interface Endpoint {

  /**
   * Returns the present address; may wait for an answer of a sentinel.
   *
   * @throws JedisException if nobody knows
   */
  Address find();

  /** Returns the endpoint of a master that sentinels watch: the first that answers is believed. */
  static Endpoint watchedBy(List<Address> sentinels, String master, Access access) {
    return () -> {
      for (Address sentinel : sentinels) {
        try {
          return ask(sentinel, master, access);
        } catch (JedisException | IllegalArgumentException unknown) {
          // The next one may know.
        }
      }
      throw new JedisConnectionException("no sentinel knows the master");
    };
  }

  private static Address ask(Address sentinel, String master, Access access) {
    try (Link link = access.open(sentinel)) {
      link.sendCommand(Protocol.Command.SENTINEL, "GET-MASTER-ADDR-BY-NAME", master);
      link.send();
      if (link.next() instanceof List<?> reply
          && reply.size() == 2
          && reply.get(0) instanceof byte[] host
          && reply.get(1) instanceof byte[] port) {
        return Address.ofRedirection(text(host) + ":" + text(port));
      }
      throw new JedisConnectionException("the sentinel does not know the master");
    }
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
