package io.heatshield.server.shield;

import io.heatshield.resp.ProtocolException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * What one client is told, in the order in which it asked.
 *
 * <p>Answers of the upstream are handed on as they come, in the pieces they come in; what the
 * shield answers itself waits for its turn among them. For the client's event loop.
 */
// What became of a write is told by the channel itself, in channelInactive.
@SuppressWarnings("FutureReturnValueIgnored")
final class Answers {
  private static final int SMALL = 4096;
  private static final int FIRST_ROOM = 512;

  private final Shield shield;
  private final ClientState state;
  private final ChannelHandlerContext ctx;
  private final ArrayDeque<Pending> waiting = new ArrayDeque<>();
  private @Nullable ByteBuf out;
  private @Nullable ByteBuf captured;
  private boolean streaming;
  private boolean dirty;
  private long replyBytes;
  private long progressNanos;
  private int answered;
  private int failed;

  Answers(Shield shield, ClientState state, ChannelHandlerContext ctx) {
    this.shield = shield;
    this.state = state;
    this.ctx = ctx;
  }

  int size() {
    return waiting.size();
  }

  /** Returns whether the client waits for nothing. */
  boolean isQuiet() {
    return waiting.isEmpty() && !streaming;
  }

  /**
   * Returns since when the upstream owes an answer and does not speak, or 0 if it may be silent.
   */
  long silentSinceNanos() {
    Pending head = waiting.peek();
    return head == null || head.blocking || head.stream || head.link == null ? 0 : progressNanos;
  }

  /** Answers in turn with bytes, which nobody may change. */
  void local(byte[] reply, boolean error) {
    answered++;
    failed += error ? 1 : 0;
    if (waiting.isEmpty()) {
      write(reply);
    } else {
      var pending = new Pending();
      pending.local = reply;
      waiting.add(pending);
    }
  }

  /** Expects an answer. */
  void expect(Pending pending) {
    if (waiting.isEmpty()) {
      progressNanos = shield.ticker().nanos();
    }
    waiting.add(pending);
    if (waiting.size() == 1 && pending.stream) {
      streaming = true;
    }
  }

  /** Takes what the upstream said, and hands it on. */
  void take(UpstreamLink link, ByteBuf bytes) throws ProtocolException {
    progressNanos = shield.ticker().nanos();
    int start = bytes.readerIndex();
    int from = start;
    int stop = bytes.writerIndex();
    while (from < stop && !streaming) {
      int end = link.replies.end(bytes, from);
      boolean push = link.replies.isPush();
      Pending head = push ? null : waiting.peek();
      int upTo = end < 0 ? stop : end;
      replyBytes += upTo - from;
      if (head != null && (head.own || head.flight != null)) {
        capture(bytes, from, upTo);
      }
      if (head != null && head.own) {
        hand(bytes, start, from);
        start = upTo;
      }
      from = upTo;
      if (end >= 0) {
        if (head != null) {
          waiting.poll();
          finish(head, link);
          if (needsTurn()) {
            hand(bytes, start, from);
            start = from;
            turn();
          }
        }
        replyBytes = 0;
      }
    }
    hand(bytes, start, stop);
  }

  /** Answers everything that is waited for, from memory or else with an error. */
  void fail(String error) {
    byte[] text = line(error);
    for (Pending pending = waiting.poll(); pending != null; pending = waiting.poll()) {
      shield.changed(pending);
      HotReads.Flight flight = pending.flight;
      if (flight != null) {
        shield.hotReads().giveUp(flight);
      }
      byte[] kept = pending.key == null ? null : shield.hotReads().last(pending.key);
      byte[] answer = pending.local != null ? pending.local : kept == null ? text : kept;
      if (!pending.own) {
        answered++;
        failed += answer == text ? 1 : 0;
        write(answer);
      }
    }
  }

  /** Returns whether the client sees what the upstream says as it comes. */
  boolean isStreaming() {
    return streaming;
  }

  /** Returns whether the next answer that is waited for may stay away. */
  boolean isFarewell() {
    Pending head = waiting.peek();
    return head != null && head.farewell;
  }

  void flush() {
    push();
    if (dirty) {
      dirty = false;
      ctx.flush();
    }
    if (answered > 0) {
      shield.counters().answered(answered, failed, 0, 0);
      answered = 0;
      failed = 0;
    }
  }

  void release() {
    if (out != null) {
      out.release();
      out = null;
    }
    if (captured != null) {
      captured.release();
      captured = null;
    }
    for (Pending pending : waiting) {
      shield.changed(pending);
      if (pending.flight != null) {
        shield.hotReads().giveUp(pending.flight);
      }
    }
    waiting.clear();
  }

  static byte[] line(String error) {
    return ("-" + error + "\r\n").getBytes(StandardCharsets.UTF_8);
  }

  private boolean needsTurn() {
    Pending next = waiting.peek();
    return next != null && (next.local != null || next.stream);
  }

  private void turn() {
    for (Pending next = waiting.peek(); next != null; next = waiting.peek()) {
      if (next.local != null) {
        write(next.local);
        waiting.poll();
      } else {
        streaming = next.stream;
        return;
      }
    }
  }

  /** Draws the consequences of an answer, before the client has it. */
  private void finish(Pending pending, UpstreamLink link) {
    boolean error = link.replies.isError();
    if (!pending.own) {
      answered++;
      failed += error ? 1 : 0;
    }
    if (pending.hot != null) {
      pending.hot.answered(replyBytes, false);
      if (pending.reads && link.replies.isNull()) {
        pending.hot.missed();
      }
    }
    if (pending.saidAbsent && !error && !link.replies.isNull()) {
      shield.absence().disagree(pending.absentHash);
    }
    shield.changed(pending);
    state.answered(pending, !error, shield.tracking());
    HotReads.Flight flight = pending.flight;
    if (flight != null) {
      boolean value = link.replies.mark() == '$' && !link.replies.isNull();
      land(pending, flight, value);
    }
  }

  private void land(Pending pending, HotReads.Flight flight, boolean value) {
    HotReads memory = shield.hotReads();
    ByteBuf bytes = captured;
    captured = null;
    if (bytes == null) {
      memory.giveUp(flight);
      return;
    }
    if (pending.own) {
      long ttl = ttl(bytes);
      if (ttl == -2) {
        memory.giveUp(flight);
      } else {
        memory.land(flight, ttl);
      }
    } else if (!value || bytes.readableBytes() > memory.maxReplyBytes()) {
      memory.giveUp(flight);
    } else {
      flight.reply(ByteBufUtil.getBytes(bytes));
      if (!flight.isTimed()) {
        memory.land(flight, -1);
      }
    }
    bytes.release();
  }

  /** Returns the milliseconds in an answer to PTTL, -1 for without end, -2 for nothing of use. */
  private static long ttl(ByteBuf bytes) {
    String text = bytes.toString(StandardCharsets.US_ASCII).trim();
    return text.matches(":(-1|[0-9]{1,18})") ? Long.parseLong(text, 1, text.length(), 10) : -2;
  }

  private void capture(ByteBuf bytes, int from, int upTo) {
    ByteBuf into = captured;
    if (into == null) {
      into = ctx.alloc().heapBuffer(upTo - from);
      captured = into;
    }
    if (into.readableBytes() <= shield.hotReads().maxReplyBytes()) {
      into.writeBytes(bytes, from, upTo - from);
    }
  }

  private void hand(ByteBuf bytes, int from, int upTo) {
    if (upTo > from) {
      push();
      ctx.write(bytes.retainedSlice(from, upTo - from));
      dirty = true;
    }
  }

  private void write(byte[] reply) {
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

  private void push() {
    ByteBuf buffer = out;
    if (buffer != null) {
      out = null;
      ctx.write(buffer);
      dirty = true;
    }
  }
}
