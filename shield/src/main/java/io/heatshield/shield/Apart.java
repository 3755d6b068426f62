package io.heatshield.shield;

import io.heatshield.redis.Masters;
import io.heatshield.resp.RequestScanner;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes commands of one client apart, to be answered by several servers of a cluster. For the
 * client's event loop.
 */
final class Apart {
  private static final int MAX_AGAIN = RequestScanner.PIECE;

  private final ClientSide client;
  private final ClusterLinks links;

  Apart(ClientSide client, ClusterLinks links) {
    this.client = client;
    this.links = links;
  }

  /** Returns the slot of all keys of a command, or what stands for several. */
  int slot(RequestScanner words, Placing placing, int crossing) {
    int step = step(placing);
    int slot = -1;
    for (int i = 1; i < words.count(); i += step) {
      int one = Masters.slotOf(word(words, i));
      if (slot >= 0 && one != slot) {
        return crossing;
      }
      slot = one;
    }
    return slot;
  }

  /** Lets every server have the keys that it has. */
  Route.Step byKey(RequestScanner words, Placing placing) {
    int step = step(placing);
    Map<Integer, List<Integer>> slots = new LinkedHashMap<>();
    for (int i = 1; i < words.count(); i += step) {
      slots
          .computeIfAbsent(Masters.slotOf(word(words, i)), none -> new ArrayList<>())
          .add((i - 1) / step);
    }
    var over = new ArrayList<UpstreamLink>();
    for (int slot : slots.keySet()) {
      UpstreamLink link = links.of(slot);
      if (link == null) {
        return links.step();
      }
      over.add(link);
    }
    var commands = new ArrayList<byte[]>();
    for (List<Integer> places : slots.values()) {
      var command = new ArrayList<byte[]>();
      command.add(word(words, 0));
      for (int place : places) {
        for (int i = 0; i < step; i++) {
          command.add(word(words, 1 + (place * step) + i));
        }
      }
      commands.add(Words.command(command));
    }
    Gather gather =
        placing == Placing.KEYS_LIST
            ? Gather.byKey(List.copyOf(slots.values()))
            : Gather.of(placing.kind(), over.size());
    return ask(words, over, commands, gather);
  }

  /** Lets every server have the same. */
  Route.Step all(RequestScanner words, Known known) {
    var over = new ArrayList<UpstreamLink>();
    var commands = new ArrayList<byte[]>();
    byte[] command = client.copy(words);
    boolean always = Route.endsBusy(words);
    for (int i = 0; i < links.servers(); i++) {
      UpstreamLink link = always ? links.always(i) : links.at(i);
      if (link == null) {
        return links.step();
      }
      over.add(link);
      commands.add(command);
    }
    return over.isEmpty()
        ? links.step()
        : ask(words, over, commands, Gather.of(known.placing().kind(), over.size()));
  }

  /** Asks one server for the page that a cursor stands for. */
  Route.Step page(RequestScanner words, ScanCursor cursor) {
    UpstreamLink link = links.at(cursor.server());
    if (link == null) {
      return links.step();
    }
    var command = new ArrayList<byte[]>();
    for (int i = 0; i < words.count(); i++) {
      command.add(i == 1 ? Words.ascii(Long.toString(cursor.own())) : word(words, i));
    }
    return ask(words, List.of(link), List.of(Words.command(command)), Gather.page(cursor));
  }

  private Route.Step ask(
      RequestScanner words, List<UpstreamLink> over, List<byte[]> commands, Gather gather) {
    Pending whole = client.leaveOut(words);
    for (int i = 0; i < over.size(); i++) {
      boolean last = i == over.size() - 1;
      Pending pending = last ? whole : Pending.own(over.get(i));
      byte[] command = commands.get(i);
      pending.blocking = whole.blocking;
      pending.gather = gather;
      pending.part = i;
      pending.request = command.length > MAX_AGAIN ? null : command;
      client.ask(over.get(i), command, pending);
    }
    return Route.Step.DONE;
  }

  private static int step(Placing placing) {
    return placing == Placing.PAIRS ? 2 : 1;
  }

  /** Returns a word of a command that was not passed on in part, so all are there. */
  private static byte[] word(RequestScanner words, int place) {
    byte @Nullable [] word = words.word(place);
    return word == null ? new byte[0] : word;
  }
}
