package io.heatshield.shield;

import io.heatshield.shield.upstream.UpstreamConnection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.ByteToMessageDecoder;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that a client has sent and that have not been forwarded. For the client's event loop.
 *
 * <p>The bytes between {@code sent} and the reader index are sent over the current connection, in
 * one write.
 */
final class RequestBuffer {
  private ByteBuf in = Unpooled.EMPTY_BUFFER;
  private int sent;
  private @Nullable UpstreamConnection connection;

  void add(ByteBufAllocator alloc, ByteBuf data) {
    in = ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(alloc, in, data);
    sent = in.readerIndex();
  }

  /** Returns the unread bytes. */
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

  /** Marks the next bytes for the current connection. */
  void take(int bytes) {
    in.skipBytes(bytes);
  }

  /** Skips the next bytes, which are not sent. */
  void skip(int bytes) {
    write();
    in.skipBytes(bytes);
    sent = in.readerIndex();
  }

  /** Returns a copy of the next bytes. */
  byte[] copy(int bytes) {
    byte[] copy = new byte[bytes];
    in.getBytes(in.readerIndex(), copy);
    return copy;
  }

  /** Writes the marked bytes to the current connection. */
  void write() {
    int from = sent;
    int bytes = in.readerIndex() - from;
    // Before the write: if it fills the connection, this method is called again.
    sent = in.readerIndex();
    if (bytes > 0 && connection != null) {
      connection.write(in.retainedSlice(from, bytes));
    }
  }

  /** Releases the buffer if all of it has been read; returns its size. */
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
