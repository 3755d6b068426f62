package io.heatshield.insight.explain;

/** The part of the server that a key comes through, which decides what can protect its store. */
public enum WayIn {
  /** A store of this server. */
  STORE,
  /** The shield in front of a Redis. */
  SHIELD,
  /** A rate limit. */
  LIMITS,
  /** Nothing but a counter: the key's store is reached in another way. */
  COUNTED
}
