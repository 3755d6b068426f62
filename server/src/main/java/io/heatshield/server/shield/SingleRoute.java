package io.heatshield.server.shield;

import io.heatshield.resp.RequestScanner;
import org.jspecify.annotations.Nullable;

/** The way to one server: one connection, with which the client stands and falls. */
final class SingleRoute implements Route {
  static final String LOST =
      "UNAVAILABLE the connection to the upstream was lost, the command may have been executed";
  static final String SILENT =
      "UNAVAILABLE the upstream did not answer in time, the command may have been executed";
  private static final byte[] NO_REFUSAL = new byte[0];

  private final Shield shield;
  private final Answers answers;
  private final ClientSide client;
  private @Nullable UpstreamLink link;
  private boolean connecting;

  SingleRoute(Shield shield, Answers answers, ClientSide client) {
    this.shield = shield;
    this.answers = answers;
    this.client = client;
  }

  @Override
  public Step command(RequestScanner words) {
    UpstreamLink present = link;
    if (present == null) {
      return reach();
    }
    client.relay(words, present, false);
    return Step.DONE;
  }

  @Override
  public Step begin(RequestScanner words, int bytes) {
    UpstreamLink present = link;
    if (present == null) {
      return reach();
    }
    client.use(present);
    return Step.DONE;
  }

  @Override
  public byte[] refusal() {
    return NO_REFUSAL;
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
    boolean cut = false;
    if (present != null) {
      cut = present.replies.isWithin();
      present.close();
      present.server.silent();
      shield.upstreams().doubt();
    }
    if (!cut) {
      answers.fail(SILENT);
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

  /** Begins to make a connection if that is worth it. */
  private Step reach() {
    if (connecting) {
      return Step.WAIT;
    }
    Upstream server = shield.upstreams().first();
    if (server == null || server.isDown()) {
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
