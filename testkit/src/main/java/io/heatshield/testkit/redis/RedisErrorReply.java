package io.heatshield.testkit.redis;

/** An error reply of Redis; the message is its text without the leading minus sign. */
public final class RedisErrorReply extends RuntimeException {
  private static final long serialVersionUID = 1;

  RedisErrorReply(String text) {
    super(text);
  }
}
