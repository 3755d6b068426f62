package io.heatshield.shield;

import io.heatshield.resp.RequestScanner;
import org.jspecify.annotations.Nullable;

/** The way to one server: one connection, with which the client stands and falls. */
final class SingleRoute implements Route {
  static final String LOST =
      "UNAVAILABLE the connection to the upstream was lost, the command may have been executed";

  private final Shield shield;
  private final Answers answers;
  private final ClientSide client;
  private @Nullable UpstreamLink link;
  private boolean connecting;
  private byte[] refusal = Upstream.UNREACHED;

  SingleRoute(Shield shield, Answers answers, ClientSide client) {
    this.shield = shield;
    this.answers = answers;
    this.client = client;
  }

  @Override
  public Step command(RequestScanner words) {
    UpstreamLink present = link;
    if (present == null) {
      return reach(Route.endsBusy(words));
    }
    client.relay(words, present, false);
    return Step.DONE;
  }

  @Override
  public Step begin(RequestScanner words, int bytes) {
    UpstreamLink present = link;
    if (present == null) {
      return reach(Route.endsBusy(words));
    }
    client.use(present);
    return Step.DONE;
  }

  @Override
  public byte[] refusal() {
    return refusal;
  }

  @Override
  public boolean isConnecting() {
    return connecting;
  }

  @Override
  public boolean isWritable() {
    return link == null || link.isWritable();
  }

  @Override
  public void flush() {
    if (link != null) {
      link.flush();
    }
  }

  @Override
  public void reading(boolean wanted) {
    if (link != null) {
      link.reading(wanted);
    }
  }

  @Override
  public boolean lost(UpstreamLink gone) {
    if (gone != link) {
      return true;
    }
    link = null;
    shield.upstreams().doubt();
    boolean cut = gone.replies.isWithin() || answers.isStreaming() || answers.isFarewell();
    if (!cut) {
      answers.fail(LOST);
    }
    return false;
  }

  @Override
  public boolean silent() {
    UpstreamLink present = link;
    link = null;
    if (present != null) {
      long since = answers.silentSinceNanos();
      present.server.silent(since);
      present.close();
      shield.upstreams().doubt();
      if (!present.replies.isWithin()) {
        answers.fail(present.server.unansweredSince(since));
      }
    }
    return false;
  }

  @Override
  public void close() {
    UpstreamLink present = link;
    link = null;
    if (present != null) {
      present.close();
    }
  }

  /** Begins to make a connection if that is worth it, or if the command must be tried. */
  private Step reach(boolean always) {
    if (connecting) {
      return Step.WAIT;
    }
    Upstream server = shield.upstreams().first();
    boolean tries = server != null && (always ? server.isConnectable() : !server.isDown());
    if (server == null || !tries) {
      refusal = server == null ? Upstream.UNREACHED : server.unreached();
      shield.upstreams().doubt();
      return Step.UNREACHED;
    }
    connecting = true;
    client.connect(
        server,
        made -> {
          connecting = false;
          link = made;
          client.resume();
        });
    return Step.WAIT;
  }
}
