package io.heatshield.redis.script;

import org.jspecify.annotations.Nullable;

/** Receives any reply to one command, as a {@link CountSink} receives a count. */
public interface ReplySink extends CountSink {

  /** Receives the reply: a {@link Long}, bytes, a list of these, or null for nil. */
  void replied(@Nullable Object reply);

  @Override
  default void counted(long count) {
    replied(count);
  }
}
