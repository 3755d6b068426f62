package io.heatshield.data;

import io.heatshield.data.command.Call;
import io.heatshield.data.command.Dispatcher;
import io.heatshield.data.command.KeysAhead;
import io.heatshield.data.command.session.Session;
import io.heatshield.resp.CommandParser;
import io.heatshield.resp.ProtocolException;
import io.heatshield.resp.RespLimits;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Reads the commands of a pipeline some at a time, so that their keys are looked at together before
 * the first of them runs.
 *
 * <p>Commands and faults come out in the order and with the replies that reading one by one would
 * give: a fault waits until the commands before it are taken, and a client that has not said who it
 * is, whose limits its next command may change, is read one by one. Holds at most {@value #MOST}
 * commands, and reads no more once they have {@value #MOST_BYTES} bytes. For one thread.
 */
final class Ahead {
  static final int MOST = 16;
  static final int MOST_BYTES = 64 << 10;

  private final CommandParser parser;
  private final Dispatcher dispatcher;
  private @Nullable Call only;
  private @Nullable Call @Nullable [] calls;
  private int count;
  private int next;
  private long held;
  private int found;
  private @Nullable ProtocolException fault;

  Ahead(RespLimits limits, Dispatcher dispatcher) {
    this.parser = new CommandParser(limits);
    this.dispatcher = dispatcher;
  }

  void limits(RespLimits limits) {
    parser.limits(limits);
  }

  /** Returns whether a command is there to be taken. */
  boolean read(ByteBuf in, Session session) throws ProtocolException {
    if (next < count) {
      return true;
    }
    if (fault != null) {
      throw fault;
    }
    if (!parser.read(in)) {
      return false;
    }
    held = parser.held();
    Call first = dispatcher.call(session, parser.take());
    next = 0;
    count = 1;
    if (in.isReadable() && session.user() != null) {
      calls = readOn(in, session, first);
    } else {
      only = first;
    }
    return true;
  }

  /** Returns the command that is there. */
  Call take() {
    @Nullable Call[] several = calls;
    Call taken = several == null ? only : next < count ? several[next] : null;
    if (taken == null) {
      throw new IllegalStateException("there is no whole command");
    }
    next++;
    if (next == count) {
      calls = null;
      only = null;
    }
    return taken;
  }

  /** Returns the bytes of commands that wait to be taken or for the rest of their words. */
  long held() {
    return parser.held() + (next < count ? held : 0);
  }

  /** Returns whether a part of a command has been read and the rest is missing. */
  boolean isWithin() {
    return parser.isWithin();
  }

  /** Returns how many keys were found before their commands ran, since this was last asked. */
  int found() {
    int before = found;
    found = 0;
    return before;
  }

  /**
   * Returns the calls that have arrived whole, looked at together; they are new in memory, as calls
   * are.
   */
  private @Nullable Call[] readOn(ByteBuf in, Session session, Call first) {
    var several = new @Nullable Call[MOST];
    several[0] = first;
    Call last = first;
    try {
      while (count < MOST && held < MOST_BYTES && parser.read(in)) {
        held += parser.held();
        Call call = dispatcher.call(session, parser.take());
        call.follow(last);
        last = call;
        several[count++] = call;
      }
    } catch (ProtocolException e) {
      fault = e;
    }
    if (count > 1) {
      found += KeysAhead.look(session, several, count);
    }
    return several;
  }
}
