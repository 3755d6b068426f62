package io.heatshield.shield;

import io.heatshield.resp.RequestScanner;
import io.heatshield.shield.ReplyEffects.OnReply;
import io.heatshield.shield.command.CommandKind;
import io.heatshield.shield.reply.RespEncoder;
import io.heatshield.shield.upstream.UpstreamConnection;

/**
 * Sends the commands of one client and adds the reply that each will get to the {@link ReplyQueue}.
 * For the client's event loop.
 */
final class CommandSender {
  private final RequestBuffer in;
  private final CommandGate gate;
  private final ClientSession session;
  private final ReplyQueue replies;

  CommandSender(RequestBuffer in, CommandGate gate, ClientSession session, ReplyQueue replies) {
    this.in = in;
    this.gate = gate;
    this.session = session;
    this.replies = replies;
  }

  /** Sends the bytes that follow over a connection. */
  void use(UpstreamConnection connection) {
    in.use(connection);
  }

  /**
   * Forwards the command unchanged.
   *
   * @param retryable whether it may be sent again to another server
   * @param onReply also receives the outcome
   */
  ReplyEffects forward(
      RequestScanner words, UpstreamConnection over, boolean retryable, OnReply onReply) {
    in.use(over);
    byte[] request = retryable && !words.isPassed() ? copy(words) : null;
    boolean streaming = session.isStreaming();
    ReplyEffects effects = gate.send(words).andThen(onReply);
    in.take(words.size());
    if (streaming) {
      // The reply cannot be recognized among what the upstream sends.
      replies.apply(effects, true);
      return effects;
    }
    var sent = PendingReply.Sent.over(over, request);
    replies.add(
        effects.is(CommandKind.STREAM)
            ? new PendingReply.Stream(sent, effects)
            : new PendingReply.Forwarded(sent, effects));
    HotReplies.ReplyLoad load = effects.read().load();
    if (load != null && load.needsTtl()) {
      var ttl = new PendingReply.Internal(PendingReply.Sent.over(over, null), load);
      send(over, RespEncoder.command("PTTL", load.key()), ttl);
    }
    return effects;
  }

  /** Skips the command, which is sent in parts; returns the effects of the combined reply. */
  ReplyEffects skip(RequestScanner words) {
    ReplyEffects effects = gate.send(words);
    in.skip(words.size());
    return effects;
  }

  /** Answers the command instead of a server. */
  void answer(RequestScanner words, byte[] reply, boolean error) {
    replies.apply(skip(words), !error);
    replies.addLocal(reply, error);
  }

  /** Returns the bytes of the command. */
  byte[] copy(RequestScanner words) {
    return in.copy(words.size());
  }

  /** Sends a command, after everything that was forwarded before. */
  void send(UpstreamConnection over, byte[] command, PendingReply reply) {
    in.write();
    over.write(command);
    replies.add(reply);
  }

  /** Sends a command of the shield itself, whose reply the client does not get. */
  void sendInternal(UpstreamConnection over, byte[] command) {
    send(over, command, PendingReply.Internal.over(over));
  }
}
