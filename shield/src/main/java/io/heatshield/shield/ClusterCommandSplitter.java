package io.heatshield.shield;

import io.heatshield.redis.Masters;
import io.heatshield.resp.RequestScanner;
import io.heatshield.shield.command.ClusterTarget;
import io.heatshield.shield.reply.ReplyGatherer;
import io.heatshield.shield.reply.RespEncoder;
import io.heatshield.shield.reply.ScanCursor;
import io.heatshield.shield.upstream.UpstreamConnection;
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
  private static final int MAX_RETRYABLE_BYTES = RequestScanner.PIECE;

  private final CommandSender sender;
  private final ClientConnections connections;

  ClusterCommandSplitter(CommandSender sender, ClientConnections connections) {
    this.sender = sender;
    this.connections = connections;
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
    byte[] command = sender.copy(words);
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
    ReplyEffects whole = sender.skip(words);
    for (int i = 0; i < over.size(); i++) {
      byte[] command = commands.get(i);
      var sent =
          PendingReply.Sent.over(
              over.get(i), command.length > MAX_RETRYABLE_BYTES ? null : command);
      ReplyEffects effects = gatherer.isLast(i) ? whole : whole.ofPart();
      sender.send(over.get(i), command, new PendingReply.Part(sent, effects, gatherer, i));
    }
    return CommandRouter.Step.DONE;
  }

  private static int step(ClusterTarget target) {
    return target == ClusterTarget.PAIRS ? 2 : 1;
  }

  /** Returns a word; a complete command that is split has all its words. */
  private static byte[] word(RequestScanner words, int position) {
    byte @Nullable [] word = words.word(position);
    return word == null ? new byte[0] : word;
  }
}
