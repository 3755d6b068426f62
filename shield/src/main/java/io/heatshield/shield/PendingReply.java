package io.heatshield.shield;

import io.heatshield.shield.reply.ReplyGatherer;
import io.heatshield.shield.upstream.UpstreamConnection;
import org.jspecify.annotations.Nullable;

/**
 * A reply that is due to one client, an element of the {@link ReplyQueue}. Immutable: a command
 * that is redirected gets another one in the same place.
 */
sealed interface PendingReply {

  /**
   * The connection and the time of a command that was sent.
   *
   * @param connection null while a connection is being made
   * @param request the command, if it may be sent again to another server
   * @param redirects the number of times that a server redirected the command
   */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record Sent(
      @Nullable UpstreamConnection connection,
      byte @Nullable [] request,
      int redirects,
      long startNanos) {

    static Sent over(UpstreamConnection connection, byte @Nullable [] request) {
      return new Sent(connection, request, 0, System.nanoTime());
    }

    private Sent redirectedTo(@Nullable UpstreamConnection next) {
      return new Sent(next, request, redirects + (connection == null ? 0 : 1), startNanos);
    }
  }

  /** Returns where the command was sent, or null if it was not. */
  default @Nullable Sent sent() {
    return null;
  }

  default ReplyEffects effects() {
    return ReplyEffects.NONE;
  }

  /** Returns whether the client gets the reply. */
  default boolean isVisible() {
    return true;
  }

  /** Returns the same reply over another connection, null while that is being made. */
  default PendingReply redirectedTo(@Nullable UpstreamConnection next) {
    throw new IllegalStateException("reply must be redirectable: " + this);
  }

  /** Returns the connection on which the reply is due, or null. */
  default @Nullable UpstreamConnection connection() {
    Sent sent = sent();
    return sent == null ? null : sent.connection;
  }

  /** Returns the size of the command if it is kept until the reply. */
  default int requestBytes() {
    Sent sent = sent();
    return sent == null || sent.request == null ? 0 : sent.request.length;
  }

  /** A reply of the shield itself, which waits for those before it. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record Local(byte[] reply) implements PendingReply {}

  /** The reply to a command that was forwarded as it is. */
  record Forwarded(Sent sent, ReplyEffects effects) implements PendingReply {
    @Override
    public Forwarded redirectedTo(@Nullable UpstreamConnection next) {
      return new Forwarded(sent.redirectedTo(next), effects.withoutLoad());
    }
  }

  /** One of several replies that are combined; with the last one the client gets the result. */
  record Part(Sent sent, ReplyEffects effects, ReplyGatherer gatherer, int index)
      implements PendingReply {
    @Override
    public boolean isVisible() {
      return gatherer.isLast(index);
    }

    @Override
    public Part redirectedTo(@Nullable UpstreamConnection next) {
      return new Part(sent.redirectedTo(next), effects, gatherer, index);
    }
  }

  /**
   * The reply to a command of the shield itself.
   *
   * @param ttlOf the load to which it belongs, if it is the reply to PTTL
   */
  record Internal(Sent sent, HotReplies.@Nullable ReplyLoad ttlOf) implements PendingReply {
    static Internal over(UpstreamConnection connection) {
      return new Internal(Sent.over(connection, null), null);
    }

    @Override
    public boolean isVisible() {
      return false;
    }
  }

  /** Everything that the upstream sends from here on, for example messages of a subscription. */
  record Stream(Sent sent, ReplyEffects effects) implements PendingReply {}
}
