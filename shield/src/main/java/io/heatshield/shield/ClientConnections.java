package io.heatshield.shield;

import io.heatshield.shield.reply.RespEncoder;
import io.heatshield.shield.upstream.UpstreamConnection;
import io.heatshield.shield.upstream.UpstreamServer;
import io.heatshield.shield.upstream.UpstreamServers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The connections that one client has to servers: one to each server that it needs, and in a
 * cluster a second one, a detour, to each that another server redirected to. For the client's event
 * loop.
 */
final class ClientConnections {
  /*
   * Replies on a connection arrive in the order of what was sent over it. A command that is
   * redirected is sent later than the commands after it, so it is sent over a detour, which is used
   * for nothing else: only the command at the head of the reply queue is ever redirected.
   */
  private static final int MAX_REDIRECTS = 5;
  private static final byte[] ASKING = RespEncoder.command("ASKING");
  private static final byte[] MOVED =
      RespEncoder.error(
          "TRYAGAIN the slot of the key is moving in the cluster, nothing was executed");
  private static final byte[] LOOP =
      RespEncoder.error(
          "UNAVAILABLE the nodes of the cluster redirect to each other, nothing was executed");
  private static final String UNREACHED =
      "UNAVAILABLE the node of the key cannot be reached, nothing was executed";

  /** Opens connections on the client's event loop. */
  @FunctionalInterface
  interface Connector {
    /**
     * Connects to a server and then continues with the client's commands.
     *
     * @param then receives the connection, or null if the attempt failed
     */
    void connect(UpstreamServer server, Consumer<@Nullable UpstreamConnection> then);
  }

  private final UpstreamServers upstream;
  private final ReplyQueue replies;
  private final CommandSender sender;
  private final Connector connector;
  private final Map<UpstreamServer, UpstreamConnection> connections = new LinkedHashMap<>();
  private final Map<UpstreamServer, UpstreamConnection> detours = new HashMap<>();
  private final ConnectionSetup setup = new ConnectionSetup();
  private UpstreamServers.View view;

  /** The connection for commands without keys. */
  private @Nullable UpstreamConnection home;

  private boolean connecting;
  private byte[] refusal = MOVED;
  private byte[] unreached = UpstreamServer.UNREACHED;

  ClientConnections(
      UpstreamServers upstream, ReplyQueue replies, CommandSender sender, Connector connector) {
    this.upstream = upstream;
    this.replies = replies;
    this.sender = sender;
    this.connector = connector;
    this.view = upstream.view();
  }

  /**
   * Switches to the current servers if they have changed and no reply is due, and closes the
   * connections to other servers, except for one.
   *
   * @return false if the servers have changed and a reply is due
   */
  boolean isCurrent(@Nullable UpstreamConnection except) {
    UpstreamServers.View now = upstream.view();
    if (!Objects.equals(now, view)) {
      if (!replies.isQuiet()) {
        return false;
      }
      view = now;
      connections.values().removeIf(one -> one != except && closeIfGone(one));
      home = home == null || !connections.containsValue(home) ? null : home;
    }
    return true;
  }

  private boolean closeIfGone(UpstreamConnection connection) {
    boolean gone = !view.servers().contains(connection.server());
    if (gone) {
      connection.close();
    }
    return gone;
  }

  int servers() {
    return view.servers().size();
  }

  ConnectionSetup setup() {
    return setup;
  }

  /**
   * Returns the connection to the owner of a slot, or to {@link #any} server if it is negative;
   * null if there is none, see {@link #unavailable}.
   */
  @Nullable UpstreamConnection ofSlot(int slot) {
    return slot < 0 ? any() : to(view.owner(slot), false);
  }

  /**
   * Returns the connection to the server of an index, or null: see {@link #unavailable}.
   *
   * @param forced whether to connect even to a server that does not reply
   */
  @Nullable UpstreamConnection ofServer(int index, boolean forced) {
    return to(view.servers().get(index), forced);
  }

  /** Returns the connection to the only server, or null: see {@link #unavailable}. */
  @Nullable UpstreamConnection single(boolean forced) {
    if (home == null) {
      home = to(upstream.first(), forced);
    }
    return home;
  }

  /**
   * Returns the connection for commands that any server can execute, or null: see {@link
   * #unavailable}. It stays the same as long as it is open.
   */
  @Nullable UpstreamConnection any() {
    if (home == null) {
      for (UpstreamServer server : view.servers()) {
        if (connections.containsKey(server) || !server.isDown()) {
          home = to(server, false);
          break;
        }
        unreached = server.unreached();
      }
      if (view.servers().isEmpty()) {
        return to(null, false);
      }
    }
    return home;
  }

  /** Returns the outcome for a command for which there is no connection. */
  CommandRouter.Step unavailable() {
    refusal = unreached;
    return connecting ? CommandRouter.Step.WAIT : CommandRouter.Step.UNREACHED;
  }

  CommandRouter.Step refuse(byte[] reply) {
    refusal = reply;
    return CommandRouter.Step.REFUSED;
  }

  /** Returns the reply to the last command that was refused or not sent. */
  byte[] refusal() {
    return refusal;
  }

  boolean isConnecting() {
    return connecting;
  }

  boolean isWritable() {
    for (UpstreamConnection connection : connections.values()) {
      if (!connection.isWritable()) {
        return false;
      }
    }
    return true;
  }

  void flush() {
    connections.values().forEach(UpstreamConnection::flush);
  }

  void setReading(boolean reading) {
    connections.values().forEach(connection -> connection.setReading(reading));
    detours.values().forEach(connection -> connection.setReading(reading));
  }

  /** Sends a command over all connections except one; the client does not get the replies. */
  void sendToOthers(UpstreamConnection except, byte[] command) {
    for (UpstreamConnection connection : connections.values()) {
      if (connection != except) {
        sender.sendInternal(connection, command);
      }
    }
  }

  /** Closes all detours, whose setup is about to change; returns false if one may be in use. */
  boolean closeDetours() {
    if (!detours.isEmpty() && !replies.isQuiet()) {
      return false;
    }
    detours.values().forEach(UpstreamConnection::close);
    detours.clear();
    return true;
  }

  void remove(UpstreamConnection lost) {
    connections.values().remove(lost);
    detours.values().remove(lost);
    home = home == lost ? null : home;
    upstream.requestRefresh();
  }

  void close() {
    connections.values().forEach(UpstreamConnection::close);
    detours.values().forEach(UpstreamConnection::close);
  }

  /**
   * Follows a redirect.
   *
   * @param error the reply to the command at the head of the reply queue
   * @return the reply for the client, or null if the command was sent to another server
   */
  byte @Nullable [] onError(PendingReply.Sent sent, byte[] error) {
    String text = new String(error, StandardCharsets.ISO_8859_1).trim();
    boolean asks = text.startsWith("-ASK ");
    UpstreamConnection by = sent.connection();
    if (by == null || (!asks && !text.startsWith("-MOVED "))) {
      return error;
    }
    upstream.requestRefresh();
    byte[] request = sent.request();
    if (request == null) {
      return MOVED;
    }
    UpstreamServer server =
        upstream.redirectTarget(by.server(), text.substring(text.lastIndexOf(' ') + 1));
    if (server == null || sent.redirects() >= MAX_REDIRECTS) {
      return LOOP;
    }
    UpstreamConnection detour = detours.get(server);
    if (detour != null) {
      redirect(detour, request, asks ? List.of(ASKING) : List.of());
    } else if (server.isDown()) {
      return RespEncoder.error(UNREACHED);
    } else {
      replies.redirectHead(null, 0);
      connector.connect(server, made -> onDetour(server, made, request, asks));
    }
    return null;
  }

  private void onDetour(
      UpstreamServer server, @Nullable UpstreamConnection made, byte[] request, boolean asks) {
    if (made == null) {
      upstream.requestRefresh();
      replies.failConnection(null, UNREACHED);
    } else {
      detours.put(server, made);
      var before = new ArrayList<>(setup.commands());
      if (asks) {
        before.add(ASKING);
      }
      redirect(made, request, before);
    }
  }

  private void redirect(UpstreamConnection detour, byte[] request, List<byte[]> before) {
    replies.redirectHead(detour, before.size());
    before.forEach(detour::write);
    detour.write(request);
    detour.flush();
  }

  private @Nullable UpstreamConnection to(@Nullable UpstreamServer server, boolean forced) {
    UpstreamConnection open = server == null ? null : connections.get(server);
    if (open != null || connecting) {
      return open;
    }
    if (server == null || (forced ? !server.isConnectable() : server.isDown())) {
      unreached = server == null ? UpstreamServer.UNREACHED : server.unreached();
      upstream.requestRefresh();
    } else {
      connecting = true;
      connector.connect(server, made -> onConnection(server, made));
    }
    return null;
  }

  private void onConnection(UpstreamServer server, @Nullable UpstreamConnection made) {
    connecting = false;
    if (made == null) {
      upstream.requestRefresh();
    } else {
      connections.put(server, made);
      setup.commands().forEach(command -> sender.sendInternal(made, command));
    }
  }
}
