package io.heatshield.rls.grpc;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands before the acceptor of a listening channel and closes connections that would be too many.
 */
// What became of a close is told by the channel itself.
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
