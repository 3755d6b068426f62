package io.heatshield.redis;

import java.io.Serial;

/** A server does not answer, or replies with an error, which is the message. */
public final class RedisCallException extends Exception {
  @Serial private static final long serialVersionUID = 1;

  RedisCallException(String message) {
    super(message);
  }
}
