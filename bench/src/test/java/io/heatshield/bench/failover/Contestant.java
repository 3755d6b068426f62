package io.heatshield.bench.failover;

import org.jspecify.annotations.Nullable;

/** A way to the master that sentinels watch. Any thread may open a session. */
interface Contestant extends AutoCloseable {

  /** Returns the name in the report. */
  String name();

  /** Returns what one thread uses. */
  Session open();

  @Override
  void close();

  /** One thread's use of it; every method throws a {@link RuntimeException} if it is refused. */
  interface Session extends AutoCloseable {
    /** Adds a member to a set. */
    void add(String set, String member);

    void set(String key, String value);

    @Nullable String get(String key);

    /** Asks to pass a limit, which counts under a key; returns whether it may. */
    boolean pass(String key, long limit);

    @Override
    void close();
  }
}
