package io.heatshield.shield;

import io.heatshield.resp.RequestScanner;
import io.heatshield.shield.upstream.UpstreamConnection;

/** Decides to which servers the commands of one client are sent. For the client's event loop. */
interface CommandRouter {
  /** The outcome of routing a command. */
  enum Step {
    /** It was sent or answered. */
    DONE,
    /** It was answered, and is the client's last command. */
    CLOSE,
    /** It must wait, for a connection or for replies. */
    WAIT,
    /** No server can be reached for it; see {@link ClientConnections#refusal}. */
    UNREACHED,
    /** It cannot be executed; see {@link ClientConnections#refusal}. */
    REFUSED
  }

  /** Routes a complete command. */
  Step route(RequestScanner words);

  /**
   * Chooses the connection for a long command that is forwarded while it arrives.
   *
   * @param bytes how much of it has arrived
   */
  Step begin(RequestScanner words, int bytes);

  /**
   * Handles a connection that is closed, or whose server does not reply.
   *
   * @param error the reply to commands that may have been executed
   * @return whether the client stays connected
   */
  boolean onLost(UpstreamConnection lost, String error);

  /**
   * Returns whether a command ends what keeps a server busy; it is also sent to a server that does
   * not reply.
   */
  static boolean endsBusy(RequestScanner words) {
    boolean kills = words.count() > 1 && words.is(1, "kill");
    return words.is(0, "shutdown") || (kills && (words.is(0, "script") || words.is(0, "function")));
  }
}
