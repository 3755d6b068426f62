package io.heatshield.shield;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import org.jspecify.annotations.Nullable;

/** Writes to one client: combines small replies, and forwards large ones without a copy. */
// The result of a write is handled in channelInactive.
@SuppressWarnings("FutureReturnValueIgnored")
final class ReplyWriter {
  private static final int SMALL = 4096;
  private static final int INITIAL_CAPACITY = 512;

  private final ChannelHandlerContext ctx;
  private @Nullable ByteBuf small;
  private boolean dirty;

  ReplyWriter(ChannelHandlerContext ctx) {
    this.ctx = ctx;
  }

  /** Writes a range of bytes that a server sent. */
  void write(ByteBuf bytes, int from, int upTo) {
    if (upTo > from) {
      writeSmall();
      ctx.write(bytes.retainedSlice(from, upTo - from));
      dirty = true;
    }
  }

  /** Writes a reply; the array must not change afterwards. */
  void write(byte[] reply) {
    if (reply.length > SMALL) {
      writeSmall();
      ctx.write(Unpooled.wrappedBuffer(reply));
      dirty = true;
      return;
    }
    ByteBuf buffer = small;
    if (buffer == null) {
      buffer = ctx.alloc().ioBuffer(INITIAL_CAPACITY);
      small = buffer;
    }
    buffer.writeBytes(reply);
  }

  void flush() {
    writeSmall();
    if (dirty) {
      dirty = false;
      ctx.flush();
    }
  }

  void release() {
    if (small != null) {
      small.release();
      small = null;
    }
  }

  private void writeSmall() {
    ByteBuf buffer = small;
    if (buffer != null) {
      small = null;
      ctx.write(buffer);
      dirty = true;
    }
  }
}
