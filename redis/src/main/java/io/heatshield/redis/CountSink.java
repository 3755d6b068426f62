package io.heatshield.redis;

/**
 * Takes what came of one command: one call of one method, on any thread. It must not block, as
 * others wait behind it.
 */
public interface CountSink {

  /** Takes the integer that Redis answered, 0 or more. */
  void counted(long count);

  /** Takes the reason why there is none. */
  void failed(RedisException reason);
}
