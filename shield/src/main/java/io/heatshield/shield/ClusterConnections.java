package io.heatshield.shield;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The connections that one client has to the servers of a cluster: one to each that it needs, and a
 * second one, a detour, to each that another server redirected to. For the client's event loop.
 */
final class ClusterConnections implements ReplyReader.Redirector {
  /*
   * Replies on a connection arrive in the order of what was sent over it. A command that is
   * redirected is sent later than those behind it, so it goes over a detour, which is used for
   * nothing else: only the command at the head of the reply queue is ever redirected.
   */
  private static final int MAX_REDIRECTS = 5;
  private static final byte[] ASKING = RespEncoder.command("ASKING");
  private static final byte[] MOVED =
      RespEncoder.error(
          "TRYAGAIN the slot of the key is moving in the cluster, nothing was executed");
  private static final byte[] LOOP =
      RespEncoder.error(
          "UNAVAILABLE the nodes of the cluster point to one another, nothing was executed");
  private static final byte[] UNREACHED =
      RespEncoder.error("UNAVAILABLE the node of the key cannot be reached, nothing was executed");

  private final UpstreamServers upstream;
  private final ReplyQueue replies;
  private final CommandRouter.Client client;
  private final Map<UpstreamServer, UpstreamConnection> connections = new LinkedHashMap<>();
  private final Map<UpstreamServer, UpstreamConnection> detours = new HashMap<>();
  private final ConnectionSetup setup = new ConnectionSetup();
  private UpstreamServers.View view;
  private @Nullable UpstreamConnection home;
  private boolean connecting;
  private byte[] refusal = MOVED;
  private byte[] unreached = UpstreamServer.UNREACHED;

  ClusterConnections(UpstreamServers upstream, ReplyQueue replies, CommandRouter.Client client) {
    this.upstream = upstream;
    this.replies = replies;
    this.client = client;
    this.view = upstream.view();
  }

  /**
   * Switches to the present servers if they have changed and no reply is due, and closes the
   * connections to others, except for one.
   *
   * @return false if that must wait
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
    boolean gone = !view.servers().contains(connection.server);
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

  /** Returns the connection to the owner of a slot, or null: see {@link #unavailable}. */
  @Nullable UpstreamConnection ofSlot(int slot) {
    UpstreamServer owner = view.owner(slot);
    if (owner == null) {
      unreached = UpstreamServer.UNREACHED;
      upstream.requestRefresh();
      return null;
    }
    return to(owner, false);
  }

  /**
   * Returns the connection to the server of an index, or null: see {@link #unavailable}.
   *
   * @param forced whether also to a server that does not answer
   */
  @Nullable UpstreamConnection ofServer(int index, boolean forced) {
    return to(view.servers().get(index), forced);
  }

  /** Returns a connection to any server, always the same while it lasts, or null. */
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
        unreached = UpstreamServer.UNREACHED;
        upstream.requestRefresh();
      }
    }
    return home;
  }

  /** Returns what happens to a command for which there is no connection. */
  CommandRouter.Step unavailable() {
    refusal = unreached;
    return connecting ? CommandRouter.Step.WAIT : CommandRouter.Step.UNREACHED;
  }

  CommandRouter.Step refuse(byte[] reply) {
    refusal = reply;
    return CommandRouter.Step.REFUSED;
  }

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
        client.sendInternal(connection, command);
      }
    }
  }

  /** Closes all detours, whose setup is about to be outdated; returns false if one is in use. */
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

  @Override
  public byte @Nullable [] onError(PendingReply.Sent sent, byte[] error) {
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
        upstream.redirectTarget(by.server, text.substring(text.lastIndexOf(' ') + 1));
    if (server == null || sent.redirects() >= MAX_REDIRECTS) {
      return LOOP;
    }
    UpstreamConnection detour = detours.get(server);
    if (detour != null) {
      redirect(detour, request, asks ? List.of(ASKING) : List.of());
    } else if (server.isDown()) {
      return UNREACHED;
    } else {
      replies.redirectHead(null, 0);
      client.connect(server, made -> onDetour(server, made, request, asks));
    }
    return null;
  }

  private void onDetour(
      UpstreamServer server, @Nullable UpstreamConnection made, byte[] request, boolean asks) {
    if (made == null) {
      upstream.requestRefresh();
      replies.failHead(UNREACHED);
    } else {
      detours.put(server, made);
      var before = new ArrayList<>(setup.commands());
      if (asks) {
        before.add(ASKING);
      }
      redirect(made, request, before);
    }
    client.resume();
  }

  private void redirect(UpstreamConnection detour, byte[] request, List<byte[]> before) {
    replies.redirectHead(detour, before.size());
    before.forEach(detour::write);
    detour.write(request);
    detour.flush();
  }

  private @Nullable UpstreamConnection to(UpstreamServer server, boolean forced) {
    UpstreamConnection present = connections.get(server);
    if (present == null && !connecting) {
      if (forced ? !server.isConnectable() : server.isDown()) {
        unreached = server.unreached();
        upstream.requestRefresh();
      } else {
        connecting = true;
        client.connect(server, made -> onConnection(server, made));
      }
    }
    return present;
  }

  private void onConnection(UpstreamServer server, @Nullable UpstreamConnection made) {
    connecting = false;
    if (made == null) {
      upstream.requestRefresh();
    } else {
      connections.put(server, made);
      setup.commands().forEach(command -> client.sendInternal(made, command));
    }
    client.resume();
  }
}
