package io.heatshield.shield;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import org.jspecify.annotations.Nullable;

/** What is written to one client: small pieces together, large ones as they are. */
// What became of a write is told by the channel itself, in channelInactive.
@SuppressWarnings("FutureReturnValueIgnored")
final class ClientOut {
  private static final int SMALL = 4096;
  private static final int FIRST_ROOM = 512;

  private final ChannelHandlerContext ctx;
  private @Nullable ByteBuf out;
  private boolean dirty;

  ClientOut(ChannelHandlerContext ctx) {
    this.ctx = ctx;
  }

  /** Writes a part of what a server said. */
  void hand(ByteBuf bytes, int from, int upTo) {
    if (upTo > from) {
      push();
      ctx.write(bytes.retainedSlice(from, upTo - from));
      dirty = true;
    }
  }

  /** Writes bytes, which nobody may change. */
  void write(byte[] reply) {
    if (reply.length > SMALL) {
      push();
      ctx.write(Unpooled.wrappedBuffer(reply));
      dirty = true;
      return;
    }
    ByteBuf buffer = out;
    if (buffer == null) {
      buffer = ctx.alloc().ioBuffer(FIRST_ROOM);
      out = buffer;
    }
    buffer.writeBytes(reply);
  }

  void flush() {
    push();
    if (dirty) {
      dirty = false;
      ctx.flush();
    }
  }

  void release() {
    if (out != null) {
      out.release();
      out = null;
    }
  }

  private void push() {
    ByteBuf buffer = out;
    if (buffer != null) {
      out = null;
      ctx.write(buffer);
      dirty = true;
    }
  }
}
