package io.heatshield.data.command.session;

import io.heatshield.resp.Reply;

/** The connection of a session. */
public interface Peer {

  /** Sends a message that is not the reply to a command; any thread may call. */
  void push(Reply message);

  /** Closes the connection once all replies so far are sent; for its event loop. */
  void closeAfterReply();

  /** Sets whether the limits of authenticated clients apply. */
  void authenticated(boolean yes);

  /** Runs a task on the connection's event loop after a delay. */
  void later(long millis, Runnable task);
}
