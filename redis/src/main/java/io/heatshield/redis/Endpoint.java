package io.heatshield.redis;

import java.util.function.Consumer;
import redis.clients.jedis.exceptions.JedisException;

/** Where a server is to be found, asked before every connection. Any thread may call. */
@FunctionalInterface
interface Endpoint {

  /**
   * Returns the present address; may wait for an answer of a sentinel.
   *
   * @throws JedisException if it is not known
   */
  Address find();

  /**
   * Checks that the server at the other end of a new connection is the one to use.
   *
   * @throws JedisException if it is not
   */
  default void verify(Link link) {}

  /** Calls a listener with the new address whenever that changes. */
  default void onSwitch(Consumer<Address> listener) {}

  /** Reports that the address may be out of date. */
  default void doubt() {}
}
