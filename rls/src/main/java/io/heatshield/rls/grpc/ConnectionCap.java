package io.heatshield.rls.grpc;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.atomic.AtomicInteger;

/** A handler in front of the acceptor that closes connections above the maximum. */
// The result of a close is not needed.
@SuppressWarnings("FutureReturnValueIgnored")
final class ConnectionCap extends ChannelInboundHandlerAdapter {
  private final int most;
  private final GrpcCounters counters;
  private final AtomicInteger open = new AtomicInteger();

  ConnectionCap(int most, GrpcCounters counters) {
    this.most = most;
    this.counters = counters;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object accepted) {
    Channel client = (Channel) accepted;
    if (open.incrementAndGet() > most) {
      open.decrementAndGet();
      counters.rejected();
      client.unsafe().closeForcibly();
      return;
    }
    counters.opened();
    client
        .closeFuture()
        .addListener(
            closed -> {
              open.decrementAndGet();
              counters.closed();
            });
    ctx.fireChannelRead(accepted);
  }
}
