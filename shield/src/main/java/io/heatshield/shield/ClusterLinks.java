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
 * second one, a detour, to each that another server pointed to.
 *
 * <p>For the client's event loop.
 */
final class ClusterLinks implements Answers.Redirects {
  /*
   * Answers of a connection come in the order of what was sent over it. A command that is redirected is sent later than
   * those behind it, so it goes over a detour, on which nothing else is: only the command whose turn it is is ever sent
   * elsewhere.
   */
  private static final int MAX_HOPS = 5;
  private static final byte[] ASKING = Words.command("ASKING");
  private static final byte[] MOVED =
      Answers.line("TRYAGAIN the slot of the key is moving in the cluster, nothing was executed");
  private static final byte[] LOOP =
      Answers.line(
          "UNAVAILABLE the nodes of the cluster point to one another, nothing was executed");
  private static final byte[] UNREACHED =
      Answers.line("UNAVAILABLE the node of the key cannot be reached, nothing was executed");

  private final Shield shield;
  private final Answers answers;
  private final ClientSide client;
  private final Map<Upstream, UpstreamLink> links = new LinkedHashMap<>();
  private final Map<Upstream, UpstreamLink> detours = new HashMap<>();
  private final Setup setup = new Setup();
  private Upstreams.View view;
  private @Nullable UpstreamLink home;
  private boolean connecting;
  private byte[] refusal = MOVED;
  private byte[] unreached = Upstream.UNREACHED;

  ClusterLinks(Shield shield, Answers answers, ClientSide client) {
    this.shield = shield;
    this.answers = answers;
    this.client = client;
    this.view = shield.upstreams().view();
  }

  /**
   * Goes over to the present servers, if they have changed and nothing is waited for; connections
   * to others are ended, but for one.
   *
   * @return false if that must wait
   */
  boolean isCurrent(@Nullable UpstreamLink but) {
    Upstreams.View now = shield.upstreams().view();
    if (!Objects.equals(now, view)) {
      if (!answers.isQuiet()) {
        return false;
      }
      view = now;
      links.values().removeIf(link -> link != but && isGone(link));
      home = home == null || !links.containsValue(home) ? null : home;
    }
    return true;
  }

  private boolean isGone(UpstreamLink link) {
    boolean gone = !view.servers().contains(link.server);
    if (gone) {
      link.close();
    }
    return gone;
  }

  int servers() {
    return view.servers().size();
  }

  Tracking tracking() {
    return shield.tracking();
  }

  Setup setup() {
    return setup;
  }

  /** Returns the connection to the server that has a slot, or null: see {@link #step}. */
  @Nullable UpstreamLink of(int slot) {
    Upstream owner = view.owner(slot);
    if (owner == null) {
      unreached = Upstream.UNREACHED;
      shield.upstreams().doubt();
      return null;
    }
    return to(owner);
  }

  /** Returns a connection to the server of a place, or null: see {@link #step}. */
  @Nullable UpstreamLink at(int server) {
    return to(view.servers().get(server));
  }

  /** Returns the same also of a server that does not answer, unless it refuses connections. */
  @Nullable UpstreamLink always(int server) {
    return to(view.servers().get(server), true);
  }

  /** Returns a connection to any server, always the same while it lasts. */
  @Nullable UpstreamLink any() {
    if (home == null) {
      for (Upstream server : view.servers()) {
        if (links.containsKey(server) || !server.isDown()) {
          home = to(server);
          break;
        }
        unreached = server.unreached();
      }
      if (view.servers().isEmpty()) {
        unreached = Upstream.UNREACHED;
        shield.upstreams().doubt();
      }
    }
    return home;
  }

  /** Returns what a command without a connection has to do. */
  Route.Step step() {
    refusal = unreached;
    return connecting ? Route.Step.WAIT : Route.Step.UNREACHED;
  }

  Route.Step refuse(byte[] why) {
    refusal = why;
    return Route.Step.REFUSED;
  }

  byte[] refusal() {
    return refusal;
  }

  boolean isConnecting() {
    return connecting;
  }

  boolean isWritable() {
    for (UpstreamLink link : links.values()) {
      if (!link.isWritable()) {
        return false;
      }
    }
    return true;
  }

  void flush() {
    links.values().forEach(UpstreamLink::flush);
  }

  void reading(boolean wanted) {
    links.values().forEach(link -> link.reading(wanted));
    detours.values().forEach(link -> link.reading(wanted));
  }

  /** Sends a command over all connections but one; nobody sees the answers. */
  void askOthers(UpstreamLink but, byte[] command) {
    for (UpstreamLink link : links.values()) {
      if (link != but) {
        client.ask(link, command, Pending.own(link));
      }
    }
  }

  /** Ends all detours, which know nothing of what the client becomes; false if one is in use. */
  boolean dropDetours() {
    if (!detours.isEmpty() && !answers.isQuiet()) {
      return false;
    }
    detours.values().forEach(UpstreamLink::close);
    detours.clear();
    return true;
  }

  void remove(UpstreamLink gone) {
    links.values().remove(gone);
    detours.values().remove(gone);
    home = home == gone ? null : home;
    shield.upstreams().doubt();
  }

  void close() {
    links.values().forEach(UpstreamLink::close);
    detours.values().forEach(UpstreamLink::close);
  }

  @Override
  public byte @Nullable [] answer(Pending pending, byte[] error) {
    String text = new String(error, StandardCharsets.ISO_8859_1).trim();
    boolean asks = text.startsWith("-ASK ");
    UpstreamLink by = pending.link;
    if (by == null || (!asks && !text.startsWith("-MOVED "))) {
      return error;
    }
    shield.upstreams().doubt();
    if (pending.request == null) {
      return MOVED;
    }
    Upstream server =
        shield.upstreams().pointedTo(by.server, text.substring(text.lastIndexOf(' ') + 1));
    if (server == null || ++pending.hops > MAX_HOPS) {
      return LOOP;
    }
    if (pending.flight != null) {
      // Who is asked now may not tell of changes yet.
      shield.hotReads().giveUp(pending.flight);
      pending.flight = null;
    }
    UpstreamLink detour = detours.get(server);
    if (detour != null) {
      send(pending, detour, asks, List.of());
    } else if (server.isDown()) {
      return UNREACHED;
    } else {
      pending.link = null;
      client.connect(server, made -> connected(server, made, pending, asks));
    }
    return null;
  }

  private void connected(
      Upstream server, @Nullable UpstreamLink made, Pending pending, boolean asks) {
    if (made == null) {
      shield.upstreams().doubt();
      answers.lose(pending, UNREACHED);
    } else {
      detours.put(server, made);
      send(pending, made, asks, setup.commands());
    }
    client.resume();
  }

  private void send(Pending pending, UpstreamLink detour, boolean asks, List<byte[]> first) {
    var before = new ArrayList<>(first);
    if (asks) {
      before.add(ASKING);
    }
    answers.expectFirst(before.stream().map(none -> Pending.own(detour)).toList());
    pending.link = detour;
    before.forEach(detour::write);
    byte[] request = pending.request;
    if (request != null) {
      detour.write(request);
    }
    detour.flush();
  }

  private @Nullable UpstreamLink to(Upstream server) {
    return to(server, false);
  }

  private @Nullable UpstreamLink to(Upstream server, boolean always) {
    UpstreamLink present = links.get(server);
    if (present == null && !connecting) {
      if (always ? !server.isConnectable() : server.isDown()) {
        unreached = server.unreached();
        shield.upstreams().doubt();
      } else {
        connecting = true;
        client.connect(server, made -> connected(server, made));
      }
    }
    return present;
  }

  private void connected(Upstream server, @Nullable UpstreamLink made) {
    connecting = false;
    if (made == null) {
      shield.upstreams().doubt();
    } else {
      links.put(server, made);
      for (byte[] command : setup.commands()) {
        client.ask(made, command, Pending.own(made));
      }
    }
    client.resume();
  }
}
