package io.heatshield.shield;

import io.heatshield.redis.Masters;
import io.heatshield.resp.RequestScanner;
import io.heatshield.shield.ReplyEffects.OnReply;
import org.jspecify.annotations.Nullable;

/**
 * Routes to a cluster that looks like one server: each command goes to the master that owns its
 * keys, some to several.
 *
 * <p>When the servers change, the next command waits until all replies have arrived. So two
 * commands on one key never go to two servers at once, and one that is redirected is followed by
 * those after it.
 */
final class ClusterRouter implements CommandRouter {
  private static final int NO_SLOT = ClusterTransaction.NO_SLOT;
  private static final int CROSSING = ClusterTransaction.CROSSING;
  private static final int MAX_WHOLE = 16 << 20;
  private static final int MAX_UNROUTED = 1 << 20;
  private static final byte[] OK = RespEncoder.ascii("+OK\r\n");
  private static final byte[] CROSSSLOT =
      RespEncoder.error(
          "CROSSSLOT the keys lie in several slots of the cluster behind the shield, where this"
              + " command cannot be taken apart; give them a common {tag}");
  private static final byte[] TOO_LONG =
      RespEncoder.error(
          "ERR the command is too long to be taken apart for a cluster, send less at once");
  private static final byte[] NOT_HERE =
      RespEncoder.error("ERR not available through a shield in front of a cluster");
  private static final byte[] BAD_CURSOR = RespEncoder.error("ERR invalid cursor");

  private final ClusterConnections connections;
  private final ClientSession session;
  private final ReplyQueue replies;
  private final CommandGate gate;
  private final Client client;
  private final OneNodeCluster node;
  private final ClusterCommandSplitter splitter;
  private final ClusterTransaction transaction;

  /** The connection of a long command that is forwarded while it arrives. */
  private @Nullable UpstreamConnection forwarding;

  /** The connection whose replies are no longer told apart. */
  private @Nullable UpstreamConnection streaming;

  ClusterRouter(
      ClusterConnections connections,
      ClientSession session,
      ReplyQueue replies,
      CommandGate gate,
      Client client,
      OneNodeCluster node) {
    this.connections = connections;
    this.session = session;
    this.replies = replies;
    this.gate = gate;
    this.client = client;
    this.node = node;
    this.splitter = new ClusterCommandSplitter(client, connections);
    this.transaction = new ClusterTransaction(client, connections);
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
      // Forwarded before the commands are known, it would show clients the way past the shield.
      return connections.refuse(NOT_HERE);
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
      return connections.refuse(NOT_HERE);
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
        return bytes > MAX_WHOLE ? connections.refuse(TOO_LONG) : Step.WAIT;
      }
      int slot = command == null ? NO_SLOT : firstSlot(words, command);
      if (slot == NO_SLOT && bytes <= MAX_UNROUTED) {
        return Step.WAIT;
      }
      if (transaction.isOpen() && slot != NO_SLOT && !transaction.accepts(slot)) {
        transaction.abort();
        return connections.refuse(ClusterTransaction.OTHER_SLOT);
      }
      over = transaction.isOpen() ? transaction.connection() : null;
      if (over == null) {
        over = slot == NO_SLOT ? connections.any() : connections.ofSlot(slot);
      }
      if (over == null) {
        return connections.unavailable();
      }
      if (transaction.isOpen()) {
        transaction.pin(slot, over);
      }
      forwarding = over;
    }
    client.use(over);
    return Step.DONE;
  }

  @Override
  public byte[] refusal() {
    return connections.refusal();
  }

  @Override
  public boolean isConnecting() {
    return connections.isConnecting();
  }

  @Override
  public boolean isWritable() {
    return connections.isWritable();
  }

  @Override
  public void flush() {
    connections.flush();
  }

  @Override
  public void setReading(boolean reading) {
    connections.setReading(reading);
  }

  @Override
  public boolean onLost(UpstreamConnection lost) {
    return lost.closeReason() != null || goesOnWithout(lost, SingleServerRouter.LOST);
  }

  @Override
  public boolean onTimeout() {
    UpstreamConnection awaited = replies.awaited();
    if (awaited == null) {
      return true;
    }
    long since = replies.silentSinceNanos();
    awaited.server.onTimeout(since);
    boolean goesOn = goesOnWithout(awaited, awaited.server.unansweredSince(since));
    awaited.close();
    return goesOn;
  }

  @Override
  public void close() {
    connections.close();
  }

  private boolean goesOnWithout(UpstreamConnection lost, String reason) {
    lost.endReading(reason);
    connections.remove(lost);
    boolean cut = replies.awaited() == lost && lost.replies.isWithin();
    if (cut || lost == streaming || lost == forwarding) {
      return false;
    }
    if (lost == transaction.connection()) {
      // What was watched or queued is lost, which a client learns by the end of its connection.
      replies.failAll(reason);
      return false;
    }
    return true;
  }

  /** Returns the connection of the command whatever it is, or null. */
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
        yield forward(words, slot < 0 ? connections.any() : connections.ofSlot(slot), true);
      }
    };
  }

  private Step forward(RequestScanner words, @Nullable UpstreamConnection over, boolean retryable) {
    if (over == null) {
      return connections.unavailable();
    }
    ReplyEffects effects = client.forward(words, over, retryable, OnReply.NOTHING);
    if (effects.is(CommandKind.STREAM)) {
      streaming = over;
    }
    return Step.DONE;
  }

  /** Answers as the one node of a cluster; a command with wrong arguments goes to any server. */
  private Step oneNode(RequestScanner words, UpstreamCommand command) {
    if (!replies.isQuiet()) {
      // A HELLO before it decides on the protocol of the reply.
      return Step.WAIT;
    }
    byte[] reply = node.answer(command.command().name(), words.count(), session.isResp3());
    if (reply == null) {
      return forward(words, connections.any(), true);
    }
    client.answer(words, reply, false);
    return Step.DONE;
  }

  private Step quit(RequestScanner words) {
    client.answer(words, OK, false);
    client.closeAfterReplies();
    return Step.DONE;
  }

  /** Sends a command that sets up the connection over all connections. */
  private Step everyConnection(RequestScanner words, UpstreamCommand command) {
    UpstreamConnection over = connections.any();
    if (over == null) {
      return connections.unavailable();
    }
    if (!connections.closeDetours()) {
      return Step.WAIT;
    }
    byte[] bytes = client.copy(words);
    connections.sendToOthers(over, bytes);
    OnReply onReply = OnReply.NOTHING;
    if (command.kind() == CommandKind.RESET) {
      transaction.clear();
      connections.setup().clear();
    } else {
      String name = command.command().name();
      boolean library = name.equals("client|setinfo") && words.is(2, "lib-name");
      onReply = connections.setup().add(library ? name + " lib-name" : name, bytes);
    }
    client.forward(words, over, false, onReply);
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
      return channelSlot(words);
    }
    if (target.isSplittable()) {
      return ClusterCommandSplitter.slot(words, target, CROSSING);
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
      return channelSlot(words);
    }
    var keys = new KeySpec.Positions();
    command.findKeys(words, keys);
    byte[] key = keys.size() == 0 ? null : words.word(keys.position(0));
    return key == null ? NO_SLOT : Masters.slotOf(key);
  }

  private static int channelSlot(RequestScanner words) {
    byte[] channel = words.count() > 1 ? words.word(1) : null;
    return channel == null ? NO_SLOT : Masters.slotOf(channel);
  }
}
