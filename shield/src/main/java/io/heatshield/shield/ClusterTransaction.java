package io.heatshield.shield;

import io.heatshield.resp.RequestScanner;
import io.heatshield.shield.ReplyEffects.OnReply;
import io.heatshield.shield.reply.RespEncoder;
import io.heatshield.shield.upstream.UpstreamConnection;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of one client of a cluster; each is executed by the owner of its first key. For
 * the client's event loop.
 *
 * <p>Commands before the first key, including MULTI, are answered here and kept until the first key
 * is known.
 */
final class ClusterTransaction {
  static final int NO_SLOT = -1;
  static final int CROSSING = -2;
  private static final int MAX_BYTES = 1 << 20;
  private static final byte[] OK = RespEncoder.ascii("+OK\r\n");
  private static final byte[] QUEUED = RespEncoder.ascii("+QUEUED\r\n");
  private static final byte[] ABORTED =
      RespEncoder.error("EXECABORT Transaction discarded because of previous errors.");
  private static final byte[] NESTED = RespEncoder.error("ERR MULTI calls can not be nested");
  private static final byte[] TOO_LARGE =
      RespEncoder.error("ERR more than 1 MiB is queued before the first key of the transaction");
  static final byte[] OTHER_SLOT =
      RespEncoder.error(
          "CROSSSLOT the keys of a transaction must be in one slot of the cluster behind the shield;"
              + " give them a common {tag}");

  private final CommandSender sender;
  private final ClientConnections connections;
  private final List<byte[]> early = new ArrayList<>();
  private int earlyBytes;
  private int slot = NO_SLOT;
  private @Nullable UpstreamConnection connection;
  private boolean open;
  private boolean aborted;

  ClusterTransaction(CommandSender sender, ClientConnections connections) {
    this.sender = sender;
    this.connections = connections;
  }

  /** Returns whether commands are being queued. */
  boolean isOpen() {
    return open;
  }

  /** Returns the connection of the transaction, or null if it is not known yet. */
  @Nullable UpstreamConnection connection() {
    return connection;
  }

  /** Returns whether keys of a slot may be used. */
  boolean accepts(int other) {
    return slot == NO_SLOT || slot == other;
  }

  /** Records that a command could not be queued, so that nothing may be executed. */
  void abort() {
    aborted = open;
  }

  CommandRouter.Step begin(RequestScanner words) {
    if (open) {
      return connections.refuse(NESTED);
    }
    byte[] bytes = sender.copy(words);
    sender.answer(words, OK, false);
    open = true;
    if (connection == null) {
      keep(bytes);
    } else {
      sender.sendInternal(connection, bytes);
    }
    return CommandRouter.Step.DONE;
  }

  /** Adds a command to the transaction. */
  CommandRouter.Step queue(RequestScanner words, int keySlot) {
    if (keySlot == CROSSING || (keySlot != NO_SLOT && !accepts(keySlot))) {
      abort();
      return connections.refuse(OTHER_SLOT);
    }
    if (connection == null && keySlot == NO_SLOT) {
      if (!keep(sender.copy(words))) {
        abort();
        return connections.refuse(TOO_LARGE);
      }
      sender.answer(words, QUEUED, false);
      return CommandRouter.Step.DONE;
    }
    UpstreamConnection over = connectionOf(keySlot);
    if (over != null) {
      pin(keySlot, over);
    }
    return forward(words, over);
  }

  /** Handles EXEC or DISCARD. */
  CommandRouter.Step end(RequestScanner words) {
    if (aborted) {
      boolean discards = words.is(0, "discard");
      sender.answer(words, discards ? OK : ABORTED, !discards);
      if (connection != null) {
        sender.sendInternal(connection, RespEncoder.command("DISCARD"));
      }
      clear();
      return CommandRouter.Step.DONE;
    }
    UpstreamConnection over = connectionOf(NO_SLOT);
    if (over != null) {
      pin(NO_SLOT, over);
      clear();
    }
    return forward(words, over);
  }

  CommandRouter.Step watch(RequestScanner words, int keySlot) {
    if (open) {
      return queue(words, keySlot);
    }
    if (keySlot == CROSSING || !accepts(keySlot)) {
      return connections.refuse(OTHER_SLOT);
    }
    UpstreamConnection over = connectionOf(keySlot);
    if (over != null && keySlot != NO_SLOT) {
      pin(keySlot, over);
    }
    return forward(words, over);
  }

  CommandRouter.Step unwatch(RequestScanner words) {
    if (open) {
      return queue(words, NO_SLOT);
    }
    UpstreamConnection over = connectionOf(NO_SLOT);
    if (over != null) {
      clear();
    }
    return forward(words, over);
  }

  /** Fixes the connection, and sends what was kept over it. */
  void pin(int keySlot, UpstreamConnection over) {
    slot = slot == NO_SLOT ? keySlot : slot;
    connection = over;
    early.forEach(command -> sender.sendInternal(over, command));
    early.clear();
    earlyBytes = 0;
  }

  void clear() {
    early.clear();
    earlyBytes = 0;
    slot = NO_SLOT;
    connection = null;
    open = false;
    aborted = false;
  }

  private @Nullable UpstreamConnection connectionOf(int keySlot) {
    return connection == null ? connections.ofSlot(keySlot) : connection;
  }

  private boolean keep(byte[] command) {
    earlyBytes += command.length;
    return earlyBytes <= MAX_BYTES && early.add(command);
  }

  private CommandRouter.Step forward(RequestScanner words, @Nullable UpstreamConnection over) {
    if (over == null) {
      return connections.unavailable();
    }
    sender.forward(words, over, false, OnReply.NOTHING);
    return CommandRouter.Step.DONE;
  }
}
