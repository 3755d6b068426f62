package io.heatshield.redis;

import java.io.Serial;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** A server that must be a master calls itself a replica. */
final class ReplicaException extends JedisConnectionException {
  @Serial private static final long serialVersionUID = 1;

  ReplicaException(Address server) {
    super(server + " is a replica");
  }
}
