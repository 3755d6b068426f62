package io.heatshield.shield;

import io.heatshield.resp.RequestScanner;
import io.heatshield.shield.ReplyEffects.OnReply;
import io.heatshield.shield.upstream.UpstreamConnection;

/** Routes to one server, over one connection; when that is lost, the client is closed. */
final class SingleServerRouter implements CommandRouter {
  private final ClientConnections connections;
  private final CommandSender sender;
  private final ReplyQueue replies;

  SingleServerRouter(ClientConnections connections, CommandSender sender, ReplyQueue replies) {
    this.connections = connections;
    this.sender = sender;
    this.replies = replies;
  }

  @Override
  public Step route(RequestScanner words) {
    UpstreamConnection over = connections.single(CommandRouter.endsBusy(words));
    if (over == null) {
      return connections.unavailable();
    }
    sender.forward(words, over, false, OnReply.NOTHING);
    return Step.DONE;
  }

  @Override
  public Step begin(RequestScanner words, int bytes) {
    UpstreamConnection over = connections.single(CommandRouter.endsBusy(words));
    if (over == null) {
      return connections.unavailable();
    }
    sender.use(over);
    return Step.DONE;
  }

  @Override
  public boolean onLost(UpstreamConnection lost, String error) {
    connections.remove(lost);
    boolean closedInstead = !lost.isActive() && replies.mayCloseInstead();
    if (!closedInstead && !lost.scanner().isWithin() && !replies.isStreaming()) {
      replies.failAll(error);
    }
    return false;
  }
}
