package io.heatshield.shield;

import io.heatshield.resp.ProtocolException;
import io.heatshield.shield.PendingReply.Internal;
import io.heatshield.shield.PendingReply.Part;
import io.heatshield.shield.reply.ReplyGatherer;
import io.heatshield.shield.upstream.UpstreamConnection;
import io.heatshield.shield.upstream.UpstreamServer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import org.jspecify.annotations.Nullable;

/**
 * Reads the replies of servers and forwards them to one client in the order of the {@link
 * ReplyQueue}. For the client's event loop.
 *
 * <p>A reply is forwarded in the pieces in which it arrives. What a server of a cluster sends
 * before its turn is kept on its connection. A reply is withheld until it is complete if the client
 * may get another one instead: an error, a part of a gathered reply, a reply to a command of the
 * shield itself.
 */
final class ReplyForwarder {
  private final HotReplies memory;
  private final ReplyQueue queue;
  private final ReplyWriter writer;
  private final ByteBufAllocator alloc;
  private final @Nullable ClientConnections redirects;
  private @Nullable ByteBuf captured;
  private long replyBytes;

  /**
   * Creates a forwarder.
   *
   * @param redirects follows redirects; null if the upstream is not a cluster
   */
  ReplyForwarder(
      HotReplies memory,
      ReplyQueue queue,
      ReplyWriter writer,
      ByteBufAllocator alloc,
      @Nullable ClientConnections redirects) {
    this.memory = memory;
    this.queue = queue;
    this.writer = writer;
    this.alloc = alloc;
    this.redirects = redirects;
  }

  /** Handles bytes that a server sent; the caller releases them. */
  void onBytes(UpstreamConnection from, ByteBuf bytes) throws ProtocolException {
    PendingReply head = queue.head();
    if (head != null && head.connection() != from) {
      from.keep(bytes.retain(), true);
    } else {
      read(from, bytes);
    }
  }

  /**
   * Forwards what was kept and whose turn has come.
   *
   * @return false if a server closed its connection in the middle of a reply
   */
  boolean drain() throws ProtocolException {
    for (UpstreamConnection next = queue.awaited(); next != null; next = queue.awaited()) {
      ByteBuf bytes = next.pollKept();
      String reason = next.closeReason();
      if (bytes != null) {
        try {
          read(next, bytes);
        } finally {
          bytes.release();
        }
      } else if (reason == null) {
        return true;
      } else if (next.scanner().isWithin() || queue.isStreaming()) {
        return false;
      } else {
        queue.failConnection(next, reason);
      }
    }
    return true;
  }

  void release() {
    if (captured != null) {
      captured.release();
      captured = null;
    }
  }

  private void read(UpstreamConnection from, ByteBuf bytes) throws ProtocolException {
    queue.onProgress();
    // The bytes from start to position are for the client and not yet written.
    int start = bytes.readerIndex();
    int position = start;
    int stop = bytes.writerIndex();
    while (position < stop && !queue.isStreaming()) {
      PendingReply next = queue.head();
      if (next != null && next.connection() != from) {
        writer.write(bytes, start, position);
        from.keep(bytes.retainedSlice(position, stop - position), false);
        return;
      }
      int end = from.scanner().end(bytes, position);
      PendingReply head = from.scanner().isPush() ? null : next;
      int upTo = end < 0 ? stop : end;
      replyBytes += upTo - position;
      boolean withheld = head != null && isWithheld(head, from);
      if (head != null && isCaptured(head, withheld)) {
        capture(withheld, bytes, position, upTo);
      }
      if (withheld) {
        writer.write(bytes, start, position);
        start = upTo;
      }
      position = upTo;
      if (end >= 0) {
        if (head != null && finish(head, from, withheld)) {
          queue.removeHead();
          if (queue.isHeadReady()) {
            writer.write(bytes, start, position);
            start = position;
            queue.writeReady();
          }
        }
        replyBytes = 0;
      }
    }
    writer.write(bytes, start, stop);
  }

  private boolean isWithheld(PendingReply head, UpstreamConnection from) {
    boolean inspected = redirects != null || head.effects().read().key() != null;
    return !head.isVisible() || head instanceof Part || (inspected && from.scanner().isError());
  }

  private static boolean isCaptured(PendingReply head, boolean withheld) {
    return head instanceof Internal internal
        ? internal.ttlOf() != null
        : withheld || head.effects().read().load() != null;
  }

  private void capture(boolean withheld, ByteBuf bytes, int from, int upTo) {
    ByteBuf into = captured;
    if (into == null) {
      into = alloc.heapBuffer(upTo - from);
      captured = into;
    }
    int most = withheld ? ReplyGatherer.MAX_BYTES : memory.maxReplyBytes();
    if (into.readableBytes() <= most) {
      into.writeBytes(bytes, from, upTo - from);
    }
  }

  /**
   * Applies the effects of a reply that is complete, and writes it if it was withheld.
   *
   * @return false if the command was sent to another server
   */
  private boolean finish(PendingReply head, UpstreamConnection from, boolean withheld) {
    boolean error = from.scanner().isError();
    ByteBuf bytes = captured;
    captured = null;
    try {
      byte[] reply =
          withheld && bytes != null && !(head instanceof Internal)
              ? ByteBufUtil.getBytes(bytes)
              : null;
      if (error && reply != null) {
        reply = onError(head, reply);
        if (reply == null) {
          return false;
        }
      }
      queue.onReply(head, replyBytes, error, from.scanner().isNull());
      if (reply != null && head instanceof Part part) {
        part.gatherer().add(part.index(), reply);
        reply = part.isVisible() ? part.gatherer().whole() : null;
      }
      if (reply != null) {
        writer.write(reply);
      }
      if (bytes != null) {
        keep(head, from, bytes);
      }
      return true;
    } finally {
      if (bytes != null) {
        bytes.release();
      }
    }
  }

  private byte @Nullable [] onError(PendingReply head, byte[] error) {
    PendingReply.Sent sent = head.sent();
    byte[] reply = redirects == null || sent == null ? error : redirects.onError(sent, error);
    return reply != null && UpstreamServer.isBusy(reply)
        ? memory.serveLastOr(head.effects().read().key(), reply)
        : reply;
  }

  /** Completes the load that a reply belongs to, if there is one. */
  private void keep(PendingReply head, UpstreamConnection from, ByteBuf bytes) {
    HotReplies.ReplyLoad load = head.effects().read().load();
    if (head instanceof Internal internal && internal.ttlOf() != null) {
      memory.onTtl(internal.ttlOf(), bytes);
    } else if (load != null) {
      memory.onValue(load, bytes, from.scanner().mark() == '$' && !from.scanner().isNull());
    }
  }
}
