package io.heatshield.server.data;

import io.netty.channel.ChannelInboundHandlerAdapter;

/** One client's connection, as its door sees it. */
public abstract class DoorConnection extends ChannelInboundHandlerAdapter {

  /** Creates a connection that is not yet in a pipeline. */
  protected DoorConnection() {}

  /** Ends the connection once the command that runs is answered; on its event loop. */
  public abstract void drain();

  /** Closes a client that keeps others waiting; from the door's timer. */
  public abstract void sweep(long nowNanos);
}
