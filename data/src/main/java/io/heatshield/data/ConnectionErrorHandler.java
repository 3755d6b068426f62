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

/** Closes connections that fail; the last handler of every client. */
@Sharable
// The result of a close is handled in channelInactive.
@SuppressWarnings("FutureReturnValueIgnored")
final class ConnectionErrorHandler extends ChannelInboundHandlerAdapter {
  private static final Logger log = LoggerFactory.getLogger(ConnectionErrorHandler.class);

  private final DataCounters counters;
  private final RareLog warnings = new RareLog(log, Ticker.system());

  ConnectionErrorHandler(DataCounters counters) {
    this.counters = counters;
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (cause instanceof DecoderException) {
      warnings.warn(
          "closed a client of the RESP port that did not use TLS: "
              + ctx.channel().remoteAddress());
      counters.protocolError();
    } else if (!(cause instanceof IOException)) {
      log.error("a connection of the RESP port failed", cause);
    }
    ctx.close();
  }
}
