package io.heatshield.server.data;

import io.heatshield.resp.CommandParser;
import io.heatshield.resp.ProtocolException;
import io.heatshield.resp.RespLimits;
import io.heatshield.server.command.KeysAhead;
import io.heatshield.server.command.Session;
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
  private static final byte[][][] NONE = {};
  private static final byte[][] TAKEN = {};

  private final CommandParser parser;
  private final KeysAhead keys;
  private byte[][][] commands = NONE;
  private int count;
  private int next;
  private long held;
  private int found;
  private @Nullable ProtocolException fault;

  Ahead(RespLimits limits, KeysAhead keys) {
    this.parser = new CommandParser(limits);
    this.keys = keys;
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
    next = 0;
    count = 0;
    if (!parser.read(in)) {
      return false;
    }
    if (commands.length == 0) {
      commands = new byte[1][][];
    }
    held = parser.held();
    commands[count++] = parser.take();
    if (in.isReadable() && session.user() != null) {
      readOn(in);
      if (count > 1) {
        found += keys.look(session, commands, count);
      }
    }
    return true;
  }

  /** Returns the command that is there. */
  byte[][] take() {
    if (next == count) {
      throw new IllegalStateException("there is no whole command");
    }
    byte[][] taken = commands[next];
    commands[next++] = TAKEN;
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

  private void readOn(ByteBuf in) {
    if (commands.length < MOST) {
      byte[][] first = commands[0];
      commands = new byte[MOST][][];
      commands[0] = first;
    }
    try {
      while (count < MOST && held < MOST_BYTES && parser.read(in)) {
        held += parser.held();
        commands[count++] = parser.take();
      }
    } catch (ProtocolException e) {
      fault = e;
    }
  }
}
