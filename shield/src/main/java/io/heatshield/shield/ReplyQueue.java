package io.heatshield.shield;

import io.heatshield.data.DataCounters;
import io.heatshield.shield.PendingReply.Internal;
import io.heatshield.shield.PendingReply.Local;
import io.heatshield.shield.PendingReply.Part;
import io.heatshield.shield.PendingReply.Stream;
import io.heatshield.shield.command.CommandKind;
import io.heatshield.shield.reply.RespEncoder;
import io.heatshield.shield.upstream.UpstreamConnection;
import io.heatshield.time.Ticker;
import java.util.ArrayDeque;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The replies that are due to one client, in the order of its commands.
 *
 * <p>Each command has exactly one visible reply. It is added when the command is sent or answered,
 * and removed when the upstream has replied, or when it is known that there will be no reply. In
 * both cases the command's {@link ReplyEffects} are applied once, before the client gets the reply.
 * For the client's event loop.
 */
final class ReplyQueue {
  private final HotReplies memory;
  private final Invalidation invalidation;
  private final DataCounters counters;
  private final Ticker ticker;
  private final ClientSession session;
  private final ReplyWriter writer;
  private final ArrayDeque<PendingReply> pending = new ArrayDeque<>();
  private boolean streaming;
  private long requestBytes;
  private long progressNanos;
  private int answered;
  private int failed;

  ReplyQueue(Shield shield, ClientSession session, ReplyWriter writer) {
    this.memory = shield.protection().hotReplies();
    this.invalidation = shield.protection().invalidation();
    this.counters = shield.counters();
    this.ticker = shield.ticker();
    this.session = session;
    this.writer = writer;
  }

  int size() {
    return pending.size();
  }

  /** Returns the size of the commands that are kept until their replies. */
  long requestBytes() {
    return requestBytes;
  }

  /** Returns the memory in use: kept commands, and parts of gathered replies. */
  long heldBytes() {
    return requestBytes + (pending.peek() instanceof Part part ? part.gatherer().bytes() : 0);
  }

  /** Returns whether no reply is due. */
  boolean isQuiet() {
    return pending.isEmpty() && !streaming;
  }

  /** Returns whether the client gets everything that the upstream sends. */
  boolean isStreaming() {
    return streaming;
  }

  @Nullable PendingReply head() {
    return pending.peek();
  }

  /** Returns the connection on which the next reply is due, or null. */
  @Nullable UpstreamConnection awaited() {
    PendingReply head = pending.peek();
    return head == null ? null : head.connection();
  }

  /** Returns since when the upstream is silent, or 0 if the next reply may take any time. */
  long silentSinceNanos() {
    PendingReply head = pending.peek();
    boolean overdue = head != null && head.connection() != null && !mayTakeAnyTime(head);
    return overdue ? progressNanos : 0;
  }

  /** Returns whether the upstream may close the connection instead of sending the next reply. */
  boolean mayCloseInstead() {
    PendingReply head = pending.peek();
    return head != null && head.effects().is(CommandKind.CLOSE);
  }

  /** Adds a reply of the shield itself; the array must not change afterwards. */
  void addLocal(byte[] reply, boolean error) {
    counters.answers().record(0);
    count(error);
    if (pending.isEmpty()) {
      writer.write(reply);
    } else {
      pending.add(new Local(reply));
    }
  }

  /** Adds a reply of the upstream. */
  void add(PendingReply reply) {
    if (pending.isEmpty()) {
      onProgress();
      streaming |= reply instanceof Stream;
    }
    requestBytes += reply.requestBytes();
    pending.add(reply);
  }

  /**
   * Replaces the head by the reply of another server.
   *
   * @param next null while the connection is being made
   * @param commandsBefore the number of commands of the shield that are sent first
   */
  void redirectHead(@Nullable UpstreamConnection next, int commandsBefore) {
    PendingReply head = pending.remove();
    // The other server may not report changes yet.
    abandonLoad(head);
    pending.addFirst(head.redirectedTo(next));
    onProgress();
    if (next != null) {
      for (int i = 0; i < commandsBefore; i++) {
        pending.addFirst(Internal.over(next));
      }
    }
  }

  /** Records that the upstream has sent something. */
  void onProgress() {
    progressNanos = ticker.nanos();
  }

  /**
   * Applies the effects of the head's reply, before the client gets it.
   *
   * @param bytes the size of the reply
   * @param isNull whether the reply is null
   */
  void onReply(PendingReply head, long bytes, boolean error, boolean isNull) {
    PendingReply.Sent sent = head.sent();
    if (sent != null && !mayTakeAnyTime(head)) {
      long nanos = System.nanoTime() - sent.startNanos();
      counters.storeCalls().record(nanos);
      if (head.isVisible()) {
        counters.answers().record(nanos);
      }
    }
    if (head.isVisible()) {
      count(error);
    }
    ReplyEffects effects = head.effects();
    if (effects.context() != null) {
      effects.context().answered(bytes, false);
      if (effects.is(CommandKind.GET) && isNull) {
        effects.context().missed();
      }
    }
    if (!error) {
      effects.read().absence().verify(!isNull);
    }
    apply(effects, !error);
  }

  /** Removes the head, whose reply was written. */
  void removeHead() {
    requestBytes -= pending.remove().requestBytes();
  }

  /** Returns whether the head can be processed without further bytes of the upstream. */
  boolean isHeadReady() {
    return pending.peek() instanceof Local || pending.peek() instanceof Stream;
  }

  /** Writes the local replies that are at the head. */
  void writeReady() {
    while (pending.peek() instanceof Local local) {
      writer.write(local.reply());
      pending.remove();
    }
    if (!pending.isEmpty()) {
      streaming = pending.peek() instanceof Stream;
    }
  }

  /** Applies the effects of a command that the upstream has answered, or never will. */
  void apply(ReplyEffects effects, boolean success) {
    invalidation.onReply(effects.changes());
    session.onReply(effects, success);
  }

  /** Answers everything that is pending, from memory or else with an error. */
  void failAll(String error) {
    failIf(reply -> true, error);
  }

  /**
   * Answers what is pending on a lost connection, from memory or else with an error.
   *
   * @param lost null for the head that waits for a connection
   */
  void failConnection(@Nullable UpstreamConnection lost, String error) {
    failIf(reply -> reply.connection() == lost, error);
  }

  private void failIf(Predicate<PendingReply> affected, String error) {
    byte[] text = RespEncoder.error(error);
    for (int i = pending.size(); i > 0; i--) {
      PendingReply next = pending.remove();
      if (next instanceof Local || !affected.test(next)) {
        pending.add(next);
      } else {
        byte[] reply = fail(next, text);
        if (next.isVisible()) {
          pending.add(new Local(reply));
        }
      }
    }
    writeReady();
  }

  /** Flushes the replies, and counts those since the last call. */
  void flush() {
    writer.flush();
    if (answered > 0) {
      counters.answered(answered, failed, 0);
      answered = 0;
      failed = 0;
    }
  }

  /** Ends all that is pending, because the client has disconnected. */
  void release() {
    writer.release();
    while (!pending.isEmpty()) {
      abandon(pending.remove());
    }
  }

  /** Ends a command without a reply of the upstream; returns the reply to send instead. */
  private byte[] fail(PendingReply reply, byte[] error) {
    if (reply instanceof Part part) {
      part.gatherer().fail(error);
    }
    byte[] instead = memory.serveLastOr(reply.effects().read().key(), error);
    if (reply.isVisible()) {
      count(instead == error);
    }
    abandon(reply);
    return instead;
  }

  private void abandon(PendingReply reply) {
    requestBytes -= reply.requestBytes();
    abandonLoad(reply);
    apply(reply.effects(), false);
  }

  private void abandonLoad(PendingReply reply) {
    HotReplies.ReplyLoad load =
        reply instanceof Internal internal ? internal.ttlOf() : reply.effects().read().load();
    if (load != null) {
      memory.abandon(load);
    }
  }

  private void count(boolean error) {
    answered++;
    failed += error ? 1 : 0;
  }

  private static boolean mayTakeAnyTime(PendingReply reply) {
    return reply instanceof Stream || reply.effects().isBlocking();
  }
}
