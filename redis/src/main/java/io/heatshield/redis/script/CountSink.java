package io.heatshield.redis.script;

/**
 * Receives the outcome of one command: one call of one method, on any thread. It must not block,
 * because the outcomes of other commands are delivered by the same thread.
 */
public interface CountSink {

  /** Receives the integer that Redis replied with, 0 or more. */
  void counted(long count);

  /** Receives the reason why there is no reply. */
  void failed(RedisException reason);
}
