package io.heatshield.shield;

import io.heatshield.resp.ProtocolException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one client is told, in the order in which it asked.
 *
 * <p>Answers of the upstream are handed on as they come, in the pieces they come in; what the
 * shield answers itself waits for its turn among them, and so does what a server of a cluster says
 * before others that were asked earlier. For the client's event loop.
 */
final class Answers {

  /** Who is told that a server points to another one. */
  @FunctionalInterface
  interface Redirects {
    /** Takes an error; returns what to answer, or null if another server is being asked. */
    byte @Nullable [] answer(Pending pending, byte[] error);
  }

  private final Shield shield;
  private final ClientState state;
  private final ChannelHandlerContext ctx;
  private final ClientOut out;
  private final ArrayDeque<Pending> waiting = new ArrayDeque<>();
  private @Nullable Redirects redirects;
  private @Nullable ByteBuf captured;
  private boolean streaming;
  private long requestBytes;
  private long gatheredBytes;
  private long replyBytes;
  private long progressNanos;
  private int answered;
  private int failed;

  Answers(Shield shield, ClientState state, ChannelHandlerContext ctx) {
    this.shield = shield;
    this.state = state;
    this.ctx = ctx;
    this.out = new ClientOut(ctx);
  }

  /** Lets somebody look at every error before the client has it. */
  void redirects(Redirects told) {
    redirects = told;
  }

  int size() {
    return waiting.size();
  }

  /** Returns the bytes of commands that are kept until they are answered. */
  long requestBytes() {
    return requestBytes;
  }

  /** Returns the bytes that are held: commands, and parts of answers. */
  long heldBytes() {
    return requestBytes + gatheredBytes;
  }

  /** Returns whether the client waits for nothing. */
  boolean isQuiet() {
    return waiting.isEmpty() && !streaming;
  }

  /** Returns the connection on which the next answer is due, or null. */
  @Nullable UpstreamLink turn() {
    Pending head = waiting.peek();
    return head == null ? null : head.link;
  }

  /** Returns since when the upstream owes an answer and is silent, or 0 if it may be silent. */
  long silentSinceNanos() {
    Pending head = waiting.peek();
    return head == null || head.blocking || head.stream || head.link == null ? 0 : progressNanos;
  }

  /** Answers in turn with bytes, which nobody may change. */
  void local(byte[] reply, boolean error) {
    answered++;
    shield.counters().answers().record(0);
    failed += error ? 1 : 0;
    if (waiting.isEmpty()) {
      out.write(reply);
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
    requestBytes += pending.request == null ? 0 : pending.request.length;
    waiting.add(pending);
    if (waiting.size() == 1 && pending.stream) {
      streaming = true;
    }
  }

  /** Expects answers before all others. */
  void expectFirst(List<Pending> own) {
    progressNanos = shield.ticker().nanos();
    for (int i = own.size() - 1; i >= 0; i--) {
      waiting.addFirst(own.get(i));
    }
  }

  /** Takes what a server said, and hands it on or keeps it until its turn. */
  void came(UpstreamLink link, ByteBuf bytes) throws ProtocolException {
    Pending head = waiting.peek();
    if (head != null && head.link != link) {
      link.keep(bytes.retain(), true);
    } else {
      take(link, bytes);
    }
  }

  /**
   * Hands on what was kept and whose turn it is now.
   *
   * @return false if a server broke off in the middle of its answer
   */
  boolean goOn() throws ProtocolException {
    for (UpstreamLink next = turn(); next != null; next = turn()) {
      ByteBuf bytes = next.early();
      String epitaph = next.epitaph();
      if (bytes != null) {
        try {
          take(next, bytes);
        } finally {
          bytes.release();
        }
      } else if (epitaph == null) {
        return true;
      } else if (next.replies.isWithin() || streaming) {
        return false;
      } else {
        lose(next, epitaph);
      }
    }
    return true;
  }

  private void take(UpstreamLink link, ByteBuf bytes) throws ProtocolException {
    progressNanos = shield.ticker().nanos();
    int start = bytes.readerIndex();
    int from = start;
    int stop = bytes.writerIndex();
    while (from < stop && !streaming) {
      Pending next = waiting.peek();
      if (next != null && next.link != link) {
        out.hand(bytes, start, from);
        link.keep(bytes.retainedSlice(from, stop - from), false);
        return;
      }
      int end = link.replies.end(bytes, from);
      Pending head = link.replies.isPush() ? null : next;
      int upTo = end < 0 ? stop : end;
      replyBytes += upTo - from;
      boolean back = head != null && isHeldBack(head, link);
      if (head != null && (head.flight != null || (back && (!head.own || head.gather != null)))) {
        capture(back, bytes, from, upTo);
      }
      if (back) {
        out.hand(bytes, start, from);
        start = upTo;
      }
      from = upTo;
      if (end >= 0) {
        if (head != null && finish(head, link, back)) {
          waiting.poll();
          Pending after = waiting.peek();
          if (after != null && (after.local != null || after.stream)) {
            out.hand(bytes, start, from);
            start = from;
            takeTurns();
          }
        }
        replyBytes = 0;
      }
    }
    out.hand(bytes, start, stop);
  }

  /** Answers everything that is waited for, from memory or else with an error. */
  void fail(String error) {
    byte[] text = line(error);
    for (Pending pending = waiting.poll(); pending != null; pending = waiting.poll()) {
      byte[] answer = giveUp(pending, text);
      if (!pending.own) {
        out.write(answer);
      }
    }
  }

  /** Answers what one server was asked, from memory or else with an error; the rest goes on. */
  private void lose(UpstreamLink gone, String error) {
    byte[] text = line(error);
    for (Iterator<Pending> each = waiting.iterator(); each.hasNext(); ) {
      Pending pending = each.next();
      if (pending.link == gone) {
        drop(pending, text);
        if (pending.own) {
          each.remove();
        }
      }
    }
    takeTurns();
  }

  /** Answers one command, whose turn it is and whom nobody is asked for, with an error. */
  void lose(Pending pending, byte[] error) {
    drop(pending, error);
    if (pending.own) {
      waiting.remove(pending);
    }
    takeTurns();
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
    out.flush();
    if (answered > 0) {
      shield.counters().answered(answered, failed, 0, 0);
      answered = 0;
      failed = 0;
    }
  }

  void release() {
    out.release();
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

  private boolean isHeldBack(Pending head, UpstreamLink link) {
    boolean seen = redirects != null || head.key != null;
    return head.own || head.gather != null || (seen && link.replies.isError());
  }

  private void drop(Pending pending, byte[] text) {
    if (pending.gather != null) {
      pending.gather.fail(text);
      gatheredBytes = 0;
    }
    pending.local = giveUp(pending, text);
    pending.link = null;
    forget(pending);
    state.answered(pending, false, shield.tracking());
  }

  /** Ends a command without an answer of the upstream; returns what to say instead. */
  private byte[] giveUp(Pending pending, byte[] text) {
    shield.changed(pending);
    if (pending.flight != null) {
      shield.hotReads().giveUp(pending.flight);
    }
    byte[] answer =
        pending.local != null ? pending.local : shield.hotReads().lastOr(pending.key, text);
    if (!pending.own) {
      answered++;
      failed += answer == text ? 1 : 0;
    }
    return answer;
  }

  private void forget(Pending pending) {
    requestBytes -= pending.request == null ? 0 : pending.request.length;
    pending.request = null;
  }

  private void takeTurns() {
    for (Pending next = waiting.peek(); next != null; next = waiting.peek()) {
      if (next.local != null) {
        out.write(next.local);
        waiting.poll();
      } else {
        streaming = next.stream;
        return;
      }
    }
  }

  /**
   * Draws the consequences of an answer, before the client has it.
   *
   * @return false if another server is being asked
   */
  private boolean finish(Pending pending, UpstreamLink link, boolean back) {
    boolean error = link.replies.isError();
    ByteBuf bytes = captured;
    captured = null;
    try {
      byte[] whole = back && bytes != null ? ByteBufUtil.getBytes(bytes) : null;
      if (error && whole != null && redirects != null) {
        whole = redirects.answer(pending, whole);
        if (whole == null) {
          return false;
        }
      }
      if (error && whole != null && Upstream.isBusy(whole)) {
        whole = shield.hotReads().lastOr(pending.key, whole);
      }
      conclude(pending, link, error);
      if (whole != null && pending.gather != null) {
        whole = gather(pending, pending.gather, whole);
      }
      if (whole != null && !pending.own) {
        out.write(whole);
      }
      if (pending.flight != null) {
        boolean value = link.replies.mark() == '$' && !link.replies.isNull();
        Landing.of(shield.hotReads(), pending.flight, bytes, pending.own, value);
      }
      return true;
    } finally {
      if (bytes != null) {
        bytes.release();
      }
    }
  }

  private void conclude(Pending pending, UpstreamLink link, boolean error) {
    forget(pending);
    shield.replied(pending);
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
  }

  private byte[] gather(Pending pending, Gather gather, byte[] part) {
    gather.add(pending.part, part);
    gatheredBytes = gather.bytes();
    if (pending.own) {
      return part;
    }
    gatheredBytes = 0;
    return gather.whole();
  }

  private void capture(boolean back, ByteBuf bytes, int from, int upTo) {
    ByteBuf into = captured;
    if (into == null) {
      into = ctx.alloc().heapBuffer(upTo - from);
      captured = into;
    }
    int most = back ? Gather.MAX_BYTES : shield.hotReads().maxReplyBytes();
    if (into.readableBytes() <= most) {
      into.writeBytes(bytes, from, upTo - from);
    }
  }
}
