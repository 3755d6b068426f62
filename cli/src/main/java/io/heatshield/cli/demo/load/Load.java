package io.heatshield.cli.demo.load;

/** Sends requests one at a time. For one thread. */
public interface Load extends AutoCloseable {

  /** Sends the next request; {@code dueNanos} is the planned {@link System#nanoTime}. */
  void send(long dueNanos);

  /** Flushes all sent requests to the network. */
  default void flush() {}

  @Override
  void close();
}
