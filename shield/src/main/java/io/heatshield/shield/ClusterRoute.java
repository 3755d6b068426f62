package io.heatshield.shield;

import io.heatshield.redis.Masters;
import io.heatshield.resp.RequestScanner;
import org.jspecify.annotations.Nullable;

/**
 * The ways of one client into a cluster that looks like one server: each command goes to the master
 * that has its keys, some to several.
 *
 * <p>When the servers change, the next command waits until all are answered: so two commands on one
 * key never go to two servers at once, and one that is redirected is followed by those after it.
 */
final class ClusterRoute implements Route {
  private static final int NO_KEY = Transaction.NO_SLOT;
  private static final int CROSSING = Transaction.CROSSING;
  private static final int MAX_WHOLE = 16 << 20;
  private static final int MAX_UNPLACED = 1 << 20;
  private static final byte[] OK = Words.ascii("+OK\r\n");
  private static final byte[] CROSSSLOT =
      Answers.line(
          "CROSSSLOT the keys lie in several slots of the cluster behind the shield, where this"
              + " command cannot be taken apart; give them a common {tag}");
  private static final byte[] TOO_LONG =
      Answers.line(
          "ERR the command is too long to be taken apart for a cluster, send less at once");
  private static final byte[] NOT_HERE =
      Answers.line("ERR not available through a shield in front of a cluster");
  private static final byte[] BAD_CURSOR = Answers.line("ERR invalid cursor");

  private final ClientState state;
  private final Answers answers;
  private final CommandGate gate;
  private final ClientSide client;
  private final OneNodeCluster node;
  private final ClusterLinks links;
  private final Apart apart;
  private final Transaction transaction;
  private @Nullable UpstreamLink passing;
  private @Nullable UpstreamLink streaming;

  ClusterRoute(
      Shield shield,
      ClientState state,
      Answers answers,
      CommandGate gate,
      ClientSide client,
      OneNodeCluster node) {
    this.state = state;
    this.answers = answers;
    this.gate = gate;
    this.client = client;
    this.node = node;
    this.links = new ClusterLinks(shield, answers, client);
    this.apart = new Apart(client, links);
    this.transaction = new Transaction(client, links, answers, state);
    answers.redirects(links);
  }

  @Override
  public Step command(RequestScanner words) {
    UpstreamLink fixed = fixed();
    if (fixed != null) {
      passing = null;
      return relay(words, fixed, false);
    }
    if (!links.isCurrent(transaction.link())) {
      return Step.WAIT;
    }
    Known known = gate.known();
    if (known == null && words.is(0, "cluster")) {
      // Sent on before the commands are known, it would show clients the way past the shield.
      return links.refuse(NOT_HERE);
    }
    if (known == null) {
      return transaction.isOpen()
          ? transaction.queue(words, NO_KEY)
          : relay(words, links.any(), true);
    }
    Placing placing = known.placing();
    boolean queues = transaction.isOpen() && placing == Placing.ONE_NODE;
    if (placing == Placing.REFUSED || queues) {
      transaction.breakOff();
      return links.refuse(NOT_HERE);
    }
    int slot = slot(words, placing);
    return switch (known.effect()) {
      case MULTI -> transaction.begin(words);
      case EXEC -> transaction.end(words);
      case WATCH -> transaction.watch(words, slot);
      case UNWATCH -> transaction.unwatch(words);
      case RESET -> everyLink(words, known);
      case FAREWELL -> placing == Placing.QUIT ? quit(words) : relay(words, links.any(), false);
      default ->
          transaction.isOpen()
              ? transaction.queue(words, slot)
              : place(words, known, placing, slot);
    };
  }

  @Override
  public Step begin(RequestScanner words, int bytes) {
    UpstreamLink over = fixed();
    if (over == null) {
      if (words.count() == 0 || !links.isCurrent(transaction.link())) {
        return Step.WAIT;
      }
      Known known = gate.find(words);
      Placing placing = known == null ? Placing.BY_KEY : known.placing();
      if (placing.needsAll()) {
        return bytes > MAX_WHOLE ? links.refuse(TOO_LONG) : Step.WAIT;
      }
      int slot = known == null ? NO_KEY : firstSlot(words, known, placing);
      if (slot == NO_KEY && bytes <= MAX_UNPLACED) {
        return Step.WAIT;
      }
      if (transaction.isOpen() && slot != NO_KEY && !transaction.takes(slot)) {
        transaction.breakOff();
        return links.refuse(Transaction.OTHER_SLOT);
      }
      over = transaction.isOpen() ? transaction.link() : null;
      over = over != null ? over : slot == NO_KEY ? links.any() : links.of(slot);
      if (over == null) {
        return links.step();
      }
      if (transaction.isOpen()) {
        transaction.pin(slot, over);
      }
      passing = over;
    }
    client.use(over);
    return Step.DONE;
  }

  @Override
  public byte[] refusal() {
    return links.refusal();
  }

  @Override
  public boolean isConnecting() {
    return links.isConnecting();
  }

  @Override
  public boolean isWritable() {
    return links.isWritable();
  }

  @Override
  public void flush() {
    links.flush();
  }

  @Override
  public void reading(boolean wanted) {
    links.reading(wanted);
  }

  @Override
  public boolean lost(UpstreamLink gone) {
    return gone.epitaph() != null || goesOnWithout(gone, SingleRoute.LOST);
  }

  @Override
  public boolean silent() {
    UpstreamLink mute = answers.turn();
    if (mute == null) {
      return true;
    }
    long since = answers.silentSinceNanos();
    mute.server.silent(since);
    boolean goesOn = goesOnWithout(mute, mute.server.unansweredSince(since));
    mute.close();
    return goesOn;
  }

  @Override
  public void close() {
    links.close();
  }

  private boolean goesOnWithout(UpstreamLink gone, String why) {
    gone.end(why);
    links.remove(gone);
    boolean cut = answers.turn() == gone && gone.replies.isWithin();
    if (cut || gone == streaming || gone == passing) {
      return false;
    }
    if (gone == transaction.link()) {
      // What was watched or queued is gone, which a client learns by the end of its connection.
      answers.fail(why);
      return false;
    }
    return true;
  }

  /** Returns where the command goes whatever it is, or null. */
  private @Nullable UpstreamLink fixed() {
    return passing != null ? passing : state.isStreaming() ? streaming : null;
  }

  private Step place(RequestScanner words, Known known, Placing placing, int slot) {
    return switch (placing) {
      case SCAN -> scan(words);
      case ONE_NODE -> oneNode(words, known);
      case EVERY_LINK -> everyLink(words, known);
      case ALL, ALL_SUM, ALL_LEAST, ALL_LISTS, ALL_ONE, ALL_ANY -> apart.all(words, known);
      default -> {
        boolean odd = placing == Placing.PAIRS && words.count() % 2 == 0;
        if (slot == CROSSING && !odd) {
          yield placing.isApart() ? apart.byKey(words, placing) : links.refuse(CROSSSLOT);
        }
        yield relay(words, slot < 0 ? links.any() : links.of(slot), true);
      }
    };
  }

  private Step relay(RequestScanner words, @Nullable UpstreamLink over, boolean again) {
    if (over == null) {
      return links.step();
    }
    Pending pending = client.relay(words, over, again);
    if (pending.stream) {
      streaming = over;
    }
    return Step.DONE;
  }

  /** Answers as the one node of a cluster; what is wrong with the words, any server can say. */
  private Step oneNode(RequestScanner words, Known known) {
    if (!answers.isQuiet()) {
      // A HELLO before it decides on the protocol of the reply.
      return Step.WAIT;
    }
    byte[] reply = node.answer(known.command().name(), words.count(), state.isThird());
    if (reply == null) {
      return relay(words, links.any(), true);
    }
    state.answered(client.leaveOut(words), true, links.tracking());
    answers.local(reply, false);
    return Step.DONE;
  }

  private Step quit(RequestScanner words) {
    client.leaveOut(words);
    answers.local(OK, false);
    client.bow();
    return Step.DONE;
  }

  /** Makes the same of all connections that the client makes of one. */
  private Step everyLink(RequestScanner words, Known known) {
    UpstreamLink over = links.any();
    if (over == null) {
      return links.step();
    }
    if (!links.dropDetours()) {
      return Step.WAIT;
    }
    byte[] bytes = client.copy(words);
    links.askOthers(over, bytes);
    Pending pending = client.relay(words, over, false);
    if (known.effect() == Effect.RESET) {
      transaction.clear();
      links.setup().clear();
    } else {
      String name = known.command().name();
      boolean named = name.equals("client|setinfo") && words.is(2, "lib-name");
      links.setup().take(named ? name + " lib-name" : name, bytes, pending);
    }
    return Step.DONE;
  }

  private Step scan(RequestScanner words) {
    if (words.count() < 2) {
      return relay(words, links.any(), true);
    }
    ScanCursor cursor = ScanCursor.parse(words.word(1), links.servers());
    return cursor == null ? links.refuse(BAD_CURSOR) : apart.page(words, cursor);
  }

  private int slot(RequestScanner words, Placing placing) {
    if (placing == Placing.BY_CHANNEL) {
      return channelSlot(words);
    }
    if (placing.isApart()) {
      return apart.slot(words, placing, CROSSING);
    }
    Places places = gate.places();
    int slot = NO_KEY;
    for (int i = 0; i < places.size(); i++) {
      byte[] key = words.word(places.place(i));
      int one = key == null ? slot : Masters.slotOf(key);
      if (slot != NO_KEY && one != slot) {
        return CROSSING;
      }
      slot = one;
    }
    return slot;
  }

  private static int firstSlot(RequestScanner words, Known known, Placing placing) {
    if (placing == Placing.BY_CHANNEL) {
      return channelSlot(words);
    }
    var places = new Places();
    known.places(words, places);
    byte[] key = places.size() == 0 ? null : words.word(places.place(0));
    return key == null ? NO_KEY : Masters.slotOf(key);
  }

  private static int channelSlot(RequestScanner words) {
    byte[] channel = words.count() > 1 ? words.word(1) : null;
    return channel == null ? NO_KEY : Masters.slotOf(channel);
  }
}
