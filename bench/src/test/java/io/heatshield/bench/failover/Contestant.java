package io.heatshield.bench.failover;

import org.jspecify.annotations.Nullable;

/** A client of the master that sentinels watch. Any thread may open a session. */
interface Contestant extends AutoCloseable {

  /** Returns the name in the report. */
  String name();

  /** Opens a session for one thread. */
  Session open();

  @Override
  void close();

  /** One thread's session; every method throws a {@link RuntimeException} if the call fails. */
  interface Session extends AutoCloseable {
    /** Adds a member to a set. */
    void add(String set, String member);

    void set(String key, String value);

    @Nullable String get(String key);

    /** Counts one request against the limit of a key; returns whether it is within the limit. */
    boolean pass(String key, long limit);

    @Override
    void close();
  }
}
