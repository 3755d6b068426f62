package io.heatshield.redis.connection;

import java.io.Serial;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** A server that must be a master says that it is a replica. */
public final class ReplicaException extends JedisConnectionException {
  @Serial private static final long serialVersionUID = 1;

  public ReplicaException(Address server) {
    super(server + " is a replica");
  }
}
