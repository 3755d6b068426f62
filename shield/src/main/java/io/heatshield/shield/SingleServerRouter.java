package io.heatshield.shield;

import io.heatshield.resp.RequestScanner;
import io.heatshield.shield.ReplyEffects.OnReply;
import org.jspecify.annotations.Nullable;

/** Routes to one server, over one connection; when that is lost, the client is closed. */
final class SingleServerRouter implements CommandRouter {
  static final String LOST =
      "UNAVAILABLE the connection to the upstream was lost, the command may have been executed";

  private final UpstreamServers upstream;
  private final ReplyQueue replies;
  private final Client client;
  private @Nullable UpstreamConnection connection;
  private boolean connecting;
  private byte[] refusal = UpstreamServer.UNREACHED;

  SingleServerRouter(UpstreamServers upstream, ReplyQueue replies, Client client) {
    this.upstream = upstream;
    this.replies = replies;
    this.client = client;
  }

  @Override
  public Step route(RequestScanner words) {
    UpstreamConnection present = connection;
    if (present == null) {
      return connect(CommandRouter.endsBusy(words));
    }
    client.forward(words, present, false, OnReply.NOTHING);
    return Step.DONE;
  }

  @Override
  public Step begin(RequestScanner words, int bytes) {
    UpstreamConnection present = connection;
    if (present == null) {
      return connect(CommandRouter.endsBusy(words));
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
    return connection == null || connection.isWritable();
  }

  @Override
  public void flush() {
    if (connection != null) {
      connection.flush();
    }
  }

  @Override
  public void setReading(boolean reading) {
    if (connection != null) {
      connection.setReading(reading);
    }
  }

  @Override
  public boolean onLost(UpstreamConnection lost) {
    if (lost != connection) {
      return true;
    }
    connection = null;
    upstream.requestRefresh();
    boolean cut = lost.replies.isWithin() || replies.isStreaming() || replies.mayCloseInstead();
    if (!cut) {
      replies.failAll(LOST);
    }
    return false;
  }

  @Override
  public boolean onTimeout() {
    UpstreamConnection present = connection;
    connection = null;
    if (present != null) {
      long since = replies.silentSinceNanos();
      present.server.onTimeout(since);
      present.close();
      upstream.requestRefresh();
      if (!present.replies.isWithin()) {
        replies.failAll(present.server.unansweredSince(since));
      }
    }
    return false;
  }

  @Override
  public void close() {
    UpstreamConnection present = connection;
    connection = null;
    if (present != null) {
      present.close();
    }
  }

  /** Connects, unless the server is down; to one that does not answer only if forced. */
  private Step connect(boolean forced) {
    if (connecting) {
      return Step.WAIT;
    }
    UpstreamServer server = upstream.first();
    boolean tries = server != null && (forced ? server.isConnectable() : !server.isDown());
    if (server == null || !tries) {
      refusal = server == null ? UpstreamServer.UNREACHED : server.unreached();
      upstream.requestRefresh();
      return Step.UNREACHED;
    }
    connecting = true;
    client.connect(
        server,
        made -> {
          connecting = false;
          connection = made;
          client.resume();
        });
    return Step.WAIT;
  }
}
