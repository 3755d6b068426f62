package io.heatshield.data.command.session;

import io.heatshield.resp.Reply;

/** A connection that ignores all calls. */
public final class NoPeer implements Peer {
  @Override
  public void push(Reply message) {}

  @Override
  public void closeAfterReply() {}

  @Override
  public void authenticated(boolean yes) {}

  @Override
  public void later(long millis, Runnable task) {}
}
