package io.heatshield.redis.command;

import io.heatshield.redis.connection.Address;

/** Chooses the server of each command. Any thread may call any method. */
public interface Route extends AutoCloseable {

  /** Submits a command to its server, or fails it. */
  void submit(Command command);

  /**
   * Submits a command to the server that a redirection names, or fails it.
   *
   * @param reply the error reply, which begins with MOVED or ASK
   * @param by the server that replied
   */
  void redirect(Command command, String reply, Address by);

  /** Looks the servers up again, because one was lost or refused a command. */
  void refresh();

  /** Called when a connection leads to another server than the one before. */
  default void onServerSwitch() {}

  /** Returns whether every server is connected and answers. */
  boolean isUp();

  /**
   * Fails the commands that are past their deadline.
   *
   * @return the nanoseconds until the next deadline, at most the given number
   */
  long expire(long now, long mostNanos);

  /** Closes all connections and fails the pending commands. */
  @Override
  void close();
}
