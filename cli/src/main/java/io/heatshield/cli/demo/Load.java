package io.heatshield.cli.demo;

/** Something that can send requests, one at a time. For one thread. */
interface Load extends AutoCloseable {

  /** Sends the next request, which was due at this time of {@link System#nanoTime}. */
  void send(long dueNanos);

  /** Hands everything that was sent to the network. */
  default void flush() {}

  @Override
  void close();
}
