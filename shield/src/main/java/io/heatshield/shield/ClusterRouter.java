package io.heatshield.shield;

import io.heatshield.redis.Masters;
import io.heatshield.resp.RequestScanner;
import io.heatshield.shield.ReplyEffects.OnReply;
import io.heatshield.shield.command.ClusterTarget;
import io.heatshield.shield.command.CommandKind;
import io.heatshield.shield.command.KeySpec;
import io.heatshield.shield.command.UpstreamCommand;
import io.heatshield.shield.reply.OneNodeCluster;
import io.heatshield.shield.reply.RespEncoder;
import io.heatshield.shield.reply.ScanCursor;
import io.heatshield.shield.upstream.UpstreamConnection;
import org.jspecify.annotations.Nullable;

/**
 * Routes to a cluster that looks like one server to the client: a command is sent to the master
 * that owns its keys, and some commands to several masters.
 *
 * <p>When the servers change, the next command waits until all replies have arrived. So two
 * commands on one key are never in progress on two servers, and commands keep their order when one
 * is redirected.
 */
final class ClusterRouter implements CommandRouter {
  private static final int NO_SLOT = ClusterTransaction.NO_SLOT;
  private static final int CROSSING = ClusterTransaction.CROSSING;
  private static final int MAX_SPLIT_BYTES = 16 << 20;
  private static final int MAX_UNROUTED_BYTES = 1 << 20;
  private static final byte[] OK = RespEncoder.ascii("+OK\r\n");
  private static final byte[] CROSSSLOT =
      RespEncoder.error(
          "CROSSSLOT the keys are in several slots of the cluster behind the shield and the command"
              + " cannot be split; give them a common {tag}");
  private static final byte[] TOO_LONG =
      RespEncoder.error(
          "ERR the command is too long to be split for a cluster, send several shorter ones");
  private static final byte[] NOT_SUPPORTED =
      RespEncoder.error("ERR not available through a shield in front of a cluster");
  private static final byte[] BAD_CURSOR = RespEncoder.error("ERR invalid cursor");

  private final ClientConnections connections;
  private final ClientSession session;
  private final ReplyQueue replies;
  private final CommandGate gate;
  private final CommandSender sender;
  private final OneNodeCluster node;
  private final ClusterCommandSplitter splitter;
  private final ClusterTransaction transaction;

  /** The connection of a long command that is forwarded while it arrives. */
  private @Nullable UpstreamConnection forwarding;

  /** The connection whose bytes are all forwarded, because replies are not recognized. */
  private @Nullable UpstreamConnection streaming;

  ClusterRouter(
      ClientConnections connections,
      ClientSession session,
      ReplyQueue replies,
      CommandGate gate,
      CommandSender sender,
      OneNodeCluster node) {
    this.connections = connections;
    this.session = session;
    this.replies = replies;
    this.gate = gate;
    this.sender = sender;
    this.node = node;
    this.splitter = new ClusterCommandSplitter(sender, connections);
    this.transaction = new ClusterTransaction(sender, connections);
  }

  @Override
  public Step route(RequestScanner words) {
    UpstreamConnection fixed = fixed();
    if (fixed != null) {
      forwarding = null;
      return forward(words, fixed, false);
    }
    if (!connections.isCurrent(transaction.connection())) {
      return Step.WAIT;
    }
    UpstreamCommand command = gate.command();
    if (command == null && words.is(0, "cluster")) {
      // The commands are not known yet. The reply would make clients bypass the shield.
      return connections.refuse(NOT_SUPPORTED);
    }
    if (command == null) {
      return transaction.isOpen()
          ? transaction.queue(words, NO_SLOT)
          : forward(words, connections.any(), true);
    }
    ClusterTarget target = command.target();
    boolean queues = transaction.isOpen() && target == ClusterTarget.ONE_NODE;
    if (target == ClusterTarget.REFUSED || queues) {
      transaction.abort();
      return connections.refuse(NOT_SUPPORTED);
    }
    int slot = slot(words, target);
    return switch (command.kind()) {
      case MULTI -> transaction.begin(words);
      case EXEC -> transaction.end(words);
      case WATCH -> transaction.watch(words, slot);
      case UNWATCH -> transaction.unwatch(words);
      case RESET -> everyConnection(words, command);
      case CLOSE ->
          target == ClusterTarget.QUIT ? quit(words) : forward(words, connections.any(), false);
      default ->
          transaction.isOpen() ? transaction.queue(words, slot) : route(words, command, slot);
    };
  }

  @Override
  public Step begin(RequestScanner words, int bytes) {
    UpstreamConnection over = fixed();
    if (over == null) {
      if (words.count() == 0 || !connections.isCurrent(transaction.connection())) {
        return Step.WAIT;
      }
      UpstreamCommand command = gate.find(words);
      ClusterTarget target = command == null ? ClusterTarget.BY_KEY : command.target();
      if (target.needsWhole()) {
        return bytes > MAX_SPLIT_BYTES ? connections.refuse(TOO_LONG) : Step.WAIT;
      }
      int slot = command == null ? NO_SLOT : firstSlot(words, command);
      if (slot == NO_SLOT && bytes <= MAX_UNROUTED_BYTES) {
        return Step.WAIT;
      }
      if (transaction.isOpen() && slot != NO_SLOT && !transaction.accepts(slot)) {
        transaction.abort();
        return connections.refuse(ClusterTransaction.OTHER_SLOT);
      }
      over = transaction.isOpen() ? transaction.connection() : null;
      if (over == null) {
        over = connections.ofSlot(slot);
      }
      if (over == null) {
        return connections.unavailable();
      }
      if (transaction.isOpen()) {
        transaction.pin(slot, over);
      }
      forwarding = over;
    }
    sender.use(over);
    return Step.DONE;
  }

  @Override
  public boolean onLost(UpstreamConnection lost, String error) {
    if (lost.closeReason() != null) {
      return true;
    }
    lost.endReading(error);
    connections.remove(lost);
    boolean cut = replies.awaited() == lost && lost.scanner().isWithin();
    if (cut || lost == streaming || lost == forwarding) {
      return false;
    }
    if (lost == transaction.connection()) {
      // Watched keys and queued commands are lost. Closing the connection shows the client.
      replies.failAll(error);
      return false;
    }
    return true;
  }

  /** Returns the connection that every command must use now, or null. */
  private @Nullable UpstreamConnection fixed() {
    return forwarding != null ? forwarding : session.isStreaming() ? streaming : null;
  }

  /** Routes a command outside a transaction. */
  private Step route(RequestScanner words, UpstreamCommand command, int slot) {
    ClusterTarget target = command.target();
    return switch (target) {
      case SCAN -> scan(words);
      case ONE_NODE -> oneNode(words, command);
      case EVERY_CONNECTION -> everyConnection(words, command);
      case ALL, ALL_SUM, ALL_LEAST, ALL_LISTS, ALL_ONE, ALL_ANY ->
          splitter.sendToAll(words, target);
      default -> {
        boolean odd = target == ClusterTarget.PAIRS && words.count() % 2 == 0;
        if (slot == CROSSING && !odd) {
          yield target.isSplittable()
              ? splitter.sendByKey(words, target)
              : connections.refuse(CROSSSLOT);
        }
        yield forward(words, connections.ofSlot(slot), true);
      }
    };
  }

  private Step forward(RequestScanner words, @Nullable UpstreamConnection over, boolean retryable) {
    if (over == null) {
      return connections.unavailable();
    }
    ReplyEffects effects = sender.forward(words, over, retryable, OnReply.NOTHING);
    if (effects.is(CommandKind.STREAM)) {
      streaming = over;
    }
    return Step.DONE;
  }

  /** Answers as the only node of a cluster; any server rejects wrong arguments. */
  private Step oneNode(RequestScanner words, UpstreamCommand command) {
    if (!replies.isQuiet()) {
      // A pending HELLO may change the protocol of the reply.
      return Step.WAIT;
    }
    byte[] reply = node.answer(command.name(), words.count(), session.isResp3());
    if (reply == null) {
      return forward(words, connections.any(), true);
    }
    sender.answer(words, reply, false);
    return Step.DONE;
  }

  private Step quit(RequestScanner words) {
    sender.answer(words, OK, false);
    return Step.CLOSE;
  }

  /** Sends a command that configures a connection over all connections. */
  private Step everyConnection(RequestScanner words, UpstreamCommand command) {
    UpstreamConnection over = connections.any();
    if (over == null) {
      return connections.unavailable();
    }
    if (!connections.closeDetours()) {
      return Step.WAIT;
    }
    byte[] bytes = sender.copy(words);
    connections.sendToOthers(over, bytes);
    OnReply onReply = OnReply.NOTHING;
    if (command.kind() == CommandKind.RESET) {
      transaction.clear();
      connections.setup().clear();
    } else {
      String name = command.name();
      boolean library = name.equals("client|setinfo") && words.is(2, "lib-name");
      onReply = connections.setup().add(library ? name + " lib-name" : name, bytes);
    }
    sender.forward(words, over, false, onReply);
    return Step.DONE;
  }

  private Step scan(RequestScanner words) {
    if (words.count() < 2) {
      return forward(words, connections.any(), true);
    }
    ScanCursor cursor = ScanCursor.parse(words.word(1), connections.servers());
    return cursor == null ? connections.refuse(BAD_CURSOR) : splitter.sendScan(words, cursor);
  }

  /** Returns the slot of all keys of a command, {@link #NO_SLOT} or {@link #CROSSING}. */
  private int slot(RequestScanner words, ClusterTarget target) {
    if (target == ClusterTarget.BY_CHANNEL) {
      return words.count() > 1 ? slotOf(words.word(1)) : NO_SLOT;
    }
    KeySpec.Positions keys = gate.keys();
    int slot = NO_SLOT;
    for (int i = 0; i < keys.size(); i++) {
      byte[] key = words.word(keys.position(i));
      int next = key == null ? slot : Masters.slotOf(key);
      if (slot != NO_SLOT && next != slot) {
        return CROSSING;
      }
      slot = next;
    }
    return slot;
  }

  private static int firstSlot(RequestScanner words, UpstreamCommand command) {
    if (command.target() == ClusterTarget.BY_CHANNEL) {
      return words.count() > 1 ? slotOf(words.word(1)) : NO_SLOT;
    }
    var keys = new KeySpec.Positions();
    keys.find(command, words);
    return keys.size() == 0 ? NO_SLOT : slotOf(words.word(keys.position(0)));
  }

  private static int slotOf(byte @Nullable [] key) {
    return key == null ? NO_SLOT : Masters.slotOf(key);
  }
}
