package io.heatshield.shield;

import io.heatshield.resp.RequestScanner;

/** The ways of one client to its upstream. For the client's event loop. */
interface Route {
  /** What became of a command. */
  enum Step {
    /** It was dealt with. */
    DONE,
    /** It must wait, for a connection or for answers. */
    WAIT,
    /** No server can be reached for it. */
    UNREACHED,
    /** It cannot be done, see {@link #refusal}. */
    REFUSED
  }

  /** Deals with a command that is whole. */
  Step command(RequestScanner words);

  /**
   * Finds the way for a long command, a part of which has come.
   *
   * @param bytes how much of it has come
   */
  Step begin(RequestScanner words, int bytes);

  /**
   * Returns whether a command ends what keeps a server busy; it is sent also to a server that does
   * not answer.
   */
  static boolean endsBusy(RequestScanner words) {
    boolean kills = words.count() > 1 && words.is(1, "kill");
    return words.is(0, "shutdown") || (kills && (words.is(0, "script") || words.is(0, "function")));
  }

  /** Returns what the last command that was refused or not sent is answered. */
  byte[] refusal();

  /** Returns whether a connection is being made, so that the client must wait. */
  boolean isConnecting();

  /** Returns whether servers take what is sent. */
  boolean isWritable();

  /** Sends what was written. */
  void flush();

  /** Lets servers speak, or wait. */
  void reading(boolean wanted);

  /** Takes note that a connection is lost; returns whether the client can go on. */
  boolean lost(UpstreamLink link);

  /** Gives up who does not answer; returns whether the client can go on. */
  boolean silent();

  void close();
}
