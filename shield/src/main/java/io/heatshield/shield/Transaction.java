package io.heatshield.shield;

import io.heatshield.resp.RequestScanner;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of one client of a cluster: each takes place where its first key is. For the
 * client's event loop.
 *
 * <p>What is said before the first key is known, MULTI itself included, is answered here and kept
 * until it is.
 */
final class Transaction {
  static final int NO_SLOT = -1;
  static final int CROSSING = -2;
  private static final int MAX_BYTES = 1 << 20;
  private static final byte[] OK = Words.ascii("+OK\r\n");
  private static final byte[] QUEUED = Words.ascii("+QUEUED\r\n");
  private static final byte[] ABORTED =
      Answers.line("EXECABORT Transaction discarded because of previous errors.");
  private static final byte[] NESTED = Answers.line("ERR MULTI calls can not be nested");
  private static final byte[] TOO_MUCH =
      Answers.line("ERR too much is queued before the first key of the transaction");
  static final byte[] OTHER_SLOT =
      Answers.line(
          "CROSSSLOT a transaction takes place in the slot of its first key, in the cluster behind"
              + " the shield; give its keys a common {tag}");

  private final ClientSide client;
  private final ClusterLinks links;
  private final Answers answers;
  private final ClientState state;
  private final List<byte[]> early = new ArrayList<>();
  private int earlyBytes;
  private int slot = NO_SLOT;
  private @Nullable UpstreamLink link;
  private boolean open;
  private boolean broken;

  Transaction(ClientSide client, ClusterLinks links, Answers answers, ClientState state) {
    this.client = client;
    this.links = links;
    this.answers = answers;
    this.state = state;
  }

  /** Returns whether commands are being queued. */
  boolean isOpen() {
    return open;
  }

  /** Returns where it takes place, or null if that is not known yet. */
  @Nullable UpstreamLink link() {
    return link;
  }

  /** Returns whether keys of a slot may be part of it. */
  boolean takes(int other) {
    return slot == NO_SLOT || slot == other;
  }

  /** Takes note that a command could not be queued, so that nothing may be executed. */
  void breakOff() {
    broken = open;
  }

  Route.Step begin(RequestScanner words) {
    if (open) {
      return links.refuse(NESTED);
    }
    byte[] bytes = client.copy(words);
    UpstreamLink over = link;
    local(words, OK);
    open = true;
    if (over == null) {
      keep(bytes);
    } else {
      client.ask(over, bytes, Pending.own(over));
    }
    return Route.Step.DONE;
  }

  /** Lets a command be part of it. */
  Route.Step queue(RequestScanner words, int place) {
    if (place == CROSSING || (place != NO_SLOT && !takes(place))) {
      breakOff();
      return links.refuse(OTHER_SLOT);
    }
    if (link == null && place == NO_SLOT) {
      if (!keep(client.copy(words))) {
        breakOff();
        return links.refuse(TOO_MUCH);
      }
      local(words, QUEUED);
      return Route.Step.DONE;
    }
    UpstreamLink over = link == null ? links.of(place) : link;
    if (over != null) {
      pin(place, over);
    }
    return relay(words, over);
  }

  Route.Step end(RequestScanner words) {
    UpstreamLink over = link;
    if (broken) {
      local(words, words.is(0, "discard") ? OK : ABORTED);
      if (over != null) {
        client.ask(over, Words.command("DISCARD"), Pending.own(over));
      }
      clear();
      return Route.Step.DONE;
    }
    over = over == null ? links.any() : over;
    if (over != null) {
      pin(NO_SLOT, over);
      clear();
    }
    return relay(words, over);
  }

  Route.Step watch(RequestScanner words, int place) {
    if (open) {
      return queue(words, place);
    }
    if (place == CROSSING || !takes(place)) {
      return links.refuse(OTHER_SLOT);
    }
    UpstreamLink over = link != null ? link : place == NO_SLOT ? links.any() : links.of(place);
    if (over != null && place != NO_SLOT) {
      pin(place, over);
    }
    return relay(words, over);
  }

  Route.Step unwatch(RequestScanner words) {
    if (open) {
      return queue(words, NO_SLOT);
    }
    UpstreamLink over = link == null ? links.any() : link;
    if (over != null) {
      clear();
    }
    return relay(words, over);
  }

  /** Fixes where it takes place, and sends there what was kept. */
  void pin(int place, UpstreamLink over) {
    slot = slot == NO_SLOT ? place : slot;
    link = over;
    for (byte[] command : early) {
      client.ask(over, command, Pending.own(over));
    }
    early.clear();
    earlyBytes = 0;
  }

  void clear() {
    early.clear();
    earlyBytes = 0;
    slot = NO_SLOT;
    link = null;
    open = false;
    broken = false;
  }

  private boolean keep(byte[] command) {
    earlyBytes += command.length;
    return earlyBytes <= MAX_BYTES && early.add(command);
  }

  private Route.Step relay(RequestScanner words, @Nullable UpstreamLink over) {
    if (over == null) {
      return links.step();
    }
    client.relay(words, over, false);
    return Route.Step.DONE;
  }

  /** Answers a command here, as if a server had. */
  private void local(RequestScanner words, byte[] reply) {
    Pending pending = client.leaveOut(words);
    state.answered(pending, reply != ABORTED, links.tracking());
    answers.local(reply, reply == ABORTED);
  }
}
