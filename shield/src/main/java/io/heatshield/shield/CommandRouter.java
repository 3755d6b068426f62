package io.heatshield.shield;

import io.heatshield.resp.RequestScanner;
import io.heatshield.shield.ReplyEffects.OnReply;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides to which servers the commands of one client go, and holds its connections to them. For
 * the client's event loop.
 */
interface CommandRouter {
  /** The outcome of routing a command. */
  enum Step {
    /** It was sent or answered. */
    DONE,
    /** It must wait, for a connection or for replies. */
    WAIT,
    /** No server can be reached for it; see {@link #refusal}. */
    UNREACHED,
    /** It cannot be executed; see {@link #refusal}. */
    REFUSED
  }

  /** The client's connection, as its router uses it. */
  interface Client {

    /** Connects to a server; passes on the connection, or null if it failed. */
    void connect(UpstreamServer server, Consumer<@Nullable UpstreamConnection> then);

    /** Continues with what the client has sent. */
    void resume();

    /** Sends the bytes that follow over a connection. */
    void use(UpstreamConnection connection);

    /**
     * Forwards the command as it is.
     *
     * @param retryable whether it may be sent again to another server
     * @param onReply also receives the outcome
     */
    ReplyEffects forward(
        RequestScanner words, UpstreamConnection over, boolean retryable, OnReply onReply);

    /** Skips the command, which is sent in parts; returns what their reply will mean. */
    ReplyEffects skip(RequestScanner words);

    /** Answers the command in place of a server. */
    void answer(RequestScanner words, byte[] reply, boolean error);

    /** Returns the bytes of the command. */
    byte[] copy(RequestScanner words);

    /** Sends a command that has a place in the reply queue, behind all that was forwarded. */
    void send(UpstreamConnection over, byte[] command, PendingReply reply);

    /** Sends a command of the shield itself. */
    default void sendInternal(UpstreamConnection over, byte[] command) {
      send(over, command, PendingReply.Internal.over(over));
    }

    /** Closes the client once it has all its replies. */
    void closeAfterReplies();
  }

  /** Routes a command that is complete. */
  Step route(RequestScanner words);

  /**
   * Chooses the connection for a long command that is forwarded while it arrives.
   *
   * @param bytes how much of it has arrived
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

  /** Returns the reply to the last command that was refused or not sent. */
  byte[] refusal();

  /** Returns whether a connection is being made, so that the client must wait. */
  boolean isConnecting();

  /** Returns whether all connections accept more bytes. */
  boolean isWritable();

  void flush();

  /** Starts or stops to read from servers. */
  void setReading(boolean reading);

  /** Handles the loss of a connection; returns whether the client can go on. */
  boolean onLost(UpstreamConnection connection);

  /** Gives up the server whose reply is overdue; returns whether the client can go on. */
  boolean onTimeout();

  void close();
}
