package io.heatshield.redis.connection;

import java.util.function.Consumer;
import redis.clients.jedis.exceptions.JedisException;

/** The address of a server, which may change. Any thread may call any method. */
@FunctionalInterface
public interface Endpoint {

  /**
   * Returns the current address; may wait for a sentinel's reply.
   *
   * @throws JedisException if it is not known
   */
  Address find();

  /**
   * Checks that a new connection leads to a server that may be used.
   *
   * @throws JedisException if it does not
   */
  default void verify(ServerConnection connection) {}

  /** Adds a listener that is called with the new address whenever it changes. */
  default void onSwitch(Consumer<Address> listener) {}

  /** Requests another lookup, because the address may be out of date. */
  default void refresh() {}
}
