package io.heatshield.data.command.session;

import io.heatshield.resp.Reply;

/** The connection of a session, as commands use it. */
public interface Peer {

  /** Sends a message that answers no command; any thread may call. */
  void push(Reply message);

  /** Closes the connection once what was answered so far is sent; for its event loop. */
  void closeAfterReply();

  /** Tells that the client may now send what an authenticated one may. */
  void authenticated(boolean yes);

  /** Runs something on the connection's event loop after a time. */
  void later(long millis, Runnable task);
}
