package io.heatshield.data;

import io.heatshield.runtime.log.RareLog;
import io.heatshield.time.Ticker;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes connections that fail; the last handler of every client of a door. */
@Sharable
// The result of a close is handled in channelInactive.
@SuppressWarnings("FutureReturnValueIgnored")
final class DoorFaults extends ChannelInboundHandlerAdapter {
  private static final Logger log = LoggerFactory.getLogger(DoorFaults.class);

  private final DataCounters counters;
  private final RareLog strangers = new RareLog(log, Ticker.system());

  DoorFaults(DataCounters counters) {
    this.counters = counters;
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (cause instanceof DecoderException) {
      strangers.warn(
          "a client of the RESP port does not speak TLS as asked: "
              + ctx.channel().remoteAddress());
      counters.protocolError();
    } else if (!(cause instanceof IOException)) {
      log.error("a connection of the RESP port failed", cause);
    }
    ctx.close();
  }
}
