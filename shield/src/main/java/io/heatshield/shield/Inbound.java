package io.heatshield.shield;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.ByteToMessageDecoder;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that a client has sent and that are not yet handed on. For the client's event loop.
 *
 * <p>What lies between {@code sent} and the reader index goes over the link in use, in one piece.
 */
final class Inbound {
  private ByteBuf in = Unpooled.EMPTY_BUFFER;
  private int sent;
  private @Nullable UpstreamLink link;

  void add(ByteBufAllocator alloc, ByteBuf data) {
    in = ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(alloc, in, data);
    sent = in.readerIndex();
  }

  /** Returns the bytes, to be looked at. */
  ByteBuf bytes() {
    return in;
  }

  /** Lets what follows go over a connection. */
  void use(@Nullable UpstreamLink next) {
    if (next != link) {
      handOn();
      link = next;
    }
  }

  /** Takes bytes for the upstream. */
  void pass(int bytes) {
    in.skipBytes(bytes);
  }

  /** Leaves out what is not for the upstream. */
  void skip(int bytes) {
    handOn();
    in.skipBytes(bytes);
    sent = in.readerIndex();
  }

  /** Returns the next bytes. */
  byte[] copy(int bytes) {
    byte[] copy = new byte[bytes];
    in.getBytes(in.readerIndex(), copy);
    return copy;
  }

  /** Writes what was taken for the upstream. */
  void handOn() {
    int from = sent;
    int bytes = in.readerIndex() - from;
    // Before the write, which may tell that there is no room for more, and so come back here.
    sent = in.readerIndex();
    if (bytes > 0 && link != null) {
      link.write(in.retainedSlice(from, bytes));
    }
  }

  /** Lets go of what is read; returns how much is held. */
  int trim() {
    if (!in.isReadable() && in.capacity() > 0) {
      release();
    }
    return in.capacity();
  }

  void release() {
    in.release();
    in = Unpooled.EMPTY_BUFFER;
    sent = 0;
  }
}
