package io.heatshield.shield;

import io.heatshield.resp.RequestScanner;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One client, as its {@link Route} sees it. For the client's event loop. */
interface ClientSide {

  /** Connects to a server, and tells the connection, or null if there is none. */
  void connect(Upstream server, Consumer<@Nullable UpstreamLink> then);

  /** Goes on with what the client has sent. */
  void resume();

  /** Lets the bytes that follow go over a connection. */
  void use(UpstreamLink link);

  /** Hands the command on over a connection, as it is. */
  Pending relay(RequestScanner words, UpstreamLink link, boolean again);

  /** Leaves the command out, and returns what its answer will mean. */
  Pending leaveOut(RequestScanner words);

  /** Returns the bytes of the command. */
  byte[] copy(RequestScanner words);

  /** Sends bytes over a connection, behind all that was handed on, and expects an answer. */
  void ask(UpstreamLink link, byte[] bytes, Pending pending);

  /** Ends the client once it has all its answers. */
  void bow();
}
