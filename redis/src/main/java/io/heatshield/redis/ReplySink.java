package io.heatshield.redis;

import org.jspecify.annotations.Nullable;

/** Takes whatever one command was answered with, as a {@link CountSink} takes a count. */
public interface ReplySink extends CountSink {

  /** Takes the reply: a {@link Long}, bytes, a list of these, or null for nil. */
  void replied(@Nullable Object reply);

  @Override
  default void counted(long count) {
    replied(count);
  }
}
