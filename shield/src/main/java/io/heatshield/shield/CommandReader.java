package io.heatshield.shield;

import io.heatshield.data.DataCounters;
import io.heatshield.resp.ProtocolException;
import io.heatshield.resp.RequestScanner;
import io.heatshield.shield.reply.RespEncoder;
import org.jspecify.annotations.Nullable;

/**
 * Reads the commands of one client: offers each to the {@link CommandGate}, and those that the gate
 * does not answer to the {@link CommandRouter}. For the client's event loop.
 *
 * <p>A command that must wait, for example for a connection, stays in the request buffer. A command
 * of more than {@value RequestScanner#PIECE} bytes is forwarded while it arrives.
 */
final class CommandReader {
  private final RequestScanner scanner = new RequestScanner();
  private final RequestBuffer in;
  private final CommandGate gate;
  private final CommandRouter router;
  private final ClientConnections connections;
  private final ReplyQueue replies;
  private final DataCounters counters;

  /** The reply to a long command that is refused, while it arrives. */
  private byte @Nullable [] refusal;

  private boolean ended;

  CommandReader(
      RequestBuffer in,
      CommandGate gate,
      CommandRouter router,
      ClientConnections connections,
      ReplyQueue replies,
      DataCounters counters) {
    this.in = in;
    this.gate = gate;
    this.router = router;
    this.connections = connections;
    this.replies = replies;
    this.counters = counters;
  }

  /** Handles the next command, or a part of it; returns false if nothing can be done now. */
  boolean readNext() {
    try {
      return scanner.read(in.bytes()) ? handle() : forwardPart();
    } catch (ProtocolException e) {
      counters.protocolError();
      in.write();
      replies.addLocal(RespEncoder.error("ERR Protocol error: " + e.getMessage()), true);
      ended = true;
      return false;
    }
  }

  /** Returns whether a part of the current command has been forwarded. */
  boolean isWithinCommand() {
    return scanner.isPassed();
  }

  /** Reads no further command; the client is closed after its last reply. */
  void end() {
    ended = true;
  }

  boolean isEnded() {
    return ended;
  }

  private boolean handle() {
    if (scanner.count() == 0) {
      in.skip(scanner.size());
    } else if (refusal != null) {
      refuse(refusal, true);
      refusal = null;
    } else if (gate.answer(scanner)) {
      in.skip(scanner.size());
    } else {
      switch (router.route(scanner)) {
        case DONE -> {}
        case WAIT -> {
          return false;
        }
        case CLOSE -> ended = true;
        case REFUSED -> refuse(connections.refusal(), true);
        case UNREACHED -> {
          byte[] kept = gate.lastReply();
          refuse(kept == null ? connections.refusal() : kept, kept == null);
        }
      }
    }
    gate.next();
    scanner.next();
    return true;
  }

  private void refuse(byte[] reply, boolean error) {
    replies.addLocal(reply, error);
    in.skip(scanner.size());
  }

  private boolean forwardPart() {
    int arrived = in.bytes().readableBytes();
    if (arrived <= RequestScanner.PIECE) {
      return false;
    }
    if (refusal == null) {
      switch (router.begin(scanner, arrived)) {
        case DONE, CLOSE -> {}
        case WAIT -> {
          return false;
        }
        case UNREACHED, REFUSED -> refusal = connections.refusal();
      }
    }
    int bytes = scanner.pass(in.bytes());
    if (refusal != null) {
      in.skip(bytes);
    } else {
      in.take(bytes);
    }
    return bytes > 0;
  }
}
