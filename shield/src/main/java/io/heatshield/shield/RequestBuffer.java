package io.heatshield.shield;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.ByteToMessageDecoder;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that a client has sent and that are not yet forwarded. For the client's event loop.
 *
 * <p>What lies between {@code sent} and the reader index goes over the current connection, in one
 * write.
 */
final class RequestBuffer {
  private ByteBuf in = Unpooled.EMPTY_BUFFER;
  private int sent;
  private @Nullable UpstreamConnection connection;

  void add(ByteBufAllocator alloc, ByteBuf data) {
    in = ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(alloc, in, data);
    sent = in.readerIndex();
  }

  /** Returns the bytes, to be inspected. */
  ByteBuf bytes() {
    return in;
  }

  /** Sets the connection for the bytes that follow. */
  void use(@Nullable UpstreamConnection next) {
    if (next != connection) {
      write();
      connection = next;
    }
  }

  /** Takes the next bytes for the upstream. */
  void take(int bytes) {
    in.skipBytes(bytes);
  }

  /** Skips the next bytes, which are not for the upstream. */
  void skip(int bytes) {
    write();
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
  void write() {
    int from = sent;
    int bytes = in.readerIndex() - from;
    // Before the write, which may report that the connection is full, and so come back here.
    sent = in.readerIndex();
    if (bytes > 0 && connection != null) {
      connection.write(in.retainedSlice(from, bytes));
    }
  }

  /** Releases what is read; returns how much is held. */
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
