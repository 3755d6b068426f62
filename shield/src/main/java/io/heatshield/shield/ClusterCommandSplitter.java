package io.heatshield.shield;

import io.heatshield.redis.Masters;
import io.heatshield.resp.RequestScanner;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Splits commands of one client into parts for several servers of a cluster. For the client's event
 * loop.
 */
final class ClusterCommandSplitter {
  private static final int MAX_RETRYABLE = RequestScanner.PIECE;

  private final CommandRouter.Client client;
  private final ClusterConnections connections;

  ClusterCommandSplitter(CommandRouter.Client client, ClusterConnections connections) {
    this.client = client;
    this.connections = connections;
  }

  /** Returns the slot of all keys of a command that can be split, or {@code crossing}. */
  static int slot(RequestScanner words, ClusterTarget target, int crossing) {
    int step = step(target);
    int slot = -1;
    for (int i = 1; i < words.count(); i += step) {
      int next = Masters.slotOf(word(words, i));
      if (slot >= 0 && next != slot) {
        return crossing;
      }
      slot = next;
    }
    return slot;
  }

  /** Sends each key to the server that owns it. */
  CommandRouter.Step sendByKey(RequestScanner words, ClusterTarget target) {
    int step = step(target);
    Map<Integer, List<Integer>> slots = new LinkedHashMap<>();
    for (int i = 1; i < words.count(); i += step) {
      slots
          .computeIfAbsent(Masters.slotOf(word(words, i)), none -> new ArrayList<>())
          .add((i - 1) / step);
    }
    var over = new ArrayList<UpstreamConnection>();
    for (int slot : slots.keySet()) {
      UpstreamConnection connection = connections.ofSlot(slot);
      if (connection == null) {
        return connections.unavailable();
      }
      over.add(connection);
    }
    var commands = new ArrayList<byte[]>();
    for (List<Integer> positions : slots.values()) {
      var command = new ArrayList<byte[]>();
      command.add(word(words, 0));
      for (int position : positions) {
        for (int i = 0; i < step; i++) {
          command.add(word(words, 1 + (position * step) + i));
        }
      }
      commands.add(RespEncoder.command(command));
    }
    ReplyGatherer gatherer =
        target == ClusterTarget.KEYS_LIST
            ? ReplyGatherer.byKey(List.copyOf(slots.values()))
            : ReplyGatherer.of(target.gathering(), over.size());
    return send(words, over, commands, gatherer);
  }

  /** Sends the command to every server. */
  CommandRouter.Step sendToAll(RequestScanner words, ClusterTarget target) {
    var over = new ArrayList<UpstreamConnection>();
    var commands = new ArrayList<byte[]>();
    byte[] command = client.copy(words);
    boolean forced = CommandRouter.endsBusy(words);
    for (int i = 0; i < connections.servers(); i++) {
      UpstreamConnection connection = connections.ofServer(i, forced);
      if (connection == null) {
        return connections.unavailable();
      }
      over.add(connection);
      commands.add(command);
    }
    return over.isEmpty()
        ? connections.unavailable()
        : send(words, over, commands, ReplyGatherer.of(target.gathering(), over.size()));
  }

  /** Sends a SCAN to the server that its cursor refers to. */
  CommandRouter.Step sendScan(RequestScanner words, ScanCursor cursor) {
    UpstreamConnection connection = connections.ofServer(cursor.server(), false);
    if (connection == null) {
      return connections.unavailable();
    }
    var command = new ArrayList<byte[]>();
    for (int i = 0; i < words.count(); i++) {
      command.add(i == 1 ? RespEncoder.ascii(Long.toString(cursor.own())) : word(words, i));
    }
    byte[] bytes = RespEncoder.command(command);
    return send(words, List.of(connection), List.of(bytes), ReplyGatherer.page(cursor));
  }

  private CommandRouter.Step send(
      RequestScanner words,
      List<UpstreamConnection> over,
      List<byte[]> commands,
      ReplyGatherer gatherer) {
    ReplyEffects whole = client.skip(words);
    for (int i = 0; i < over.size(); i++) {
      byte[] command = commands.get(i);
      var sent =
          PendingReply.Sent.over(over.get(i), command.length > MAX_RETRYABLE ? null : command);
      ReplyEffects effects = gatherer.isLast(i) ? whole : whole.ofPart();
      client.send(over.get(i), command, new PendingReply.Part(sent, effects, gatherer, i));
    }
    return CommandRouter.Step.DONE;
  }

  private static int step(ClusterTarget target) {
    return target == ClusterTarget.PAIRS ? 2 : 1;
  }

  /** Returns a word of a command that is complete, so that all words are there. */
  private static byte[] word(RequestScanner words, int position) {
    byte @Nullable [] word = words.word(position);
    return word == null ? new byte[0] : word;
  }
}
