package io.heatshield.data.command;

import io.heatshield.redisbloom.HeavyKeeper;
import io.heatshield.redisbloom.StructureKind;
import io.heatshield.resp.Reply;
import java.util.ArrayList;
import java.util.List;

/** The commands on lists of the most frequent items, as RedisBloom answers them. */
final class TopCommands {
  private static final long WIDTH = 8;
  private static final long DEPTH = 7;
  private static final double DECAY = 0.9;
  private static final long MOST = (1L << 32) - 1;
  private static final int MOST_INCREMENT = 100_000;
  private static final String INCREMENT =
      "TopK: increment must be an integer greater or equal to 0"
          + " ".repeat(28)
          + "and smaller or equal to 100,000";

  private TopCommands() {}

  static List<Command> all() {
    return List.of(
        Command.onKeys(
            "topk.reserve -3 write,denyoom,+inplace 1 1 1 topk 2.0.0 Creates a list of the most frequent items.",
            TopCommands::reserve),
        Command.onKeys(
            "topk.add -3 write,denyoom,+inplace 1 1 1 topk 2.0.0 Counts items, and returns those that left the list.",
            TopCommands::add),
        Command.onKeys(
            "topk.incrby -4 write,denyoom,+inplace 1 1 1 topk 2.0.0 Adds to the counts of items.",
            TopCommands::increment),
        Command.onKeys(
            "topk.query -3 readonly 1 1 1 topk 2.0.0 Returns which items are on the list.",
            call -> each(call, (top, item) -> Reply.of(top.contains(top.hash(item))))),
        Command.onKeys(
            "topk.count -3 readonly 1 1 1 topk 2.0.0 Returns the counts of items.",
            call -> each(call, (top, item) -> Reply.of(top.count(top.hash(item))))),
        Command.onKeys(
            "topk.list -2 readonly 1 1 1 topk 2.0.0 Returns the list.", TopCommands::list),
        Command.onKeys(
            "topk.info 2 readonly 1 1 1 topk 2.0.0 Describes the list.", TopCommands::info));
  }

  private static Reply reserve(KeyCall call) {
    if (call.count() != 3 && call.count() != 6) {
      throw call.wrongCount();
    }
    if (call.value(1) != null) {
      throw new Refused("TopK: key already exists");
    }
    long k = number(call.word(2), "TopK: invalid k");
    long width = WIDTH;
    long depth = DEPTH;
    double decay = DECAY;
    if (call.count() == 6) {
      width = number(call.word(3), "TopK: invalid width");
      depth = number(call.word(4), "TopK: invalid depth");
      String wrong = "TopK: invalid decay value. must be '<= 1' & '> 0'";
      decay = Words.real(call.word(5), wrong);
      if (decay <= 0 || decay > 1) {
        throw new Refused(wrong);
      }
    }
    if (!call.mayTake(0, HeavyKeeper.bytes(k, width, depth))) {
      throw new Refused("ERR Insufficient memory to create topk data structure");
    }
    call.put(1, StructureKind.TOP, HeavyKeeper.create(k, width, depth, decay));
    return Reply.OK;
  }

  private static long number(byte[] word, String error) {
    long number = Words.integer(word, error);
    if (number < 1 || number > MOST) {
      throw new Refused(error);
    }
    return number;
  }

  private static HeavyKeeper find(KeyCall call) {
    HeavyKeeper top = call.structure(1, StructureKind.TOP, HeavyKeeper.class);
    if (top == null) {
      throw new Refused("TopK: key does not exist");
    }
    return top;
  }

  private static Reply add(KeyCall call) {
    HeavyKeeper top = call.own(find(call), HeavyKeeper.class);
    var expelled = new ArrayList<Reply>();
    for (int i = 2; i < call.count(); i++) {
      expelled.add(add(call, top, call.word(i), 1));
    }
    call.put(1, StructureKind.TOP, top);
    return Reply.array(expelled);
  }

  /** Adds all pairs; one whose number is none is answered with an error in its place. */
  private static Reply increment(KeyCall call) {
    if (call.count() % 2 == 1) {
      throw call.wrongCount();
    }
    HeavyKeeper top = call.own(find(call), HeavyKeeper.class);
    var expelled = new ArrayList<Reply>();
    for (int i = 2; i < call.count(); i += 2) {
      byte[] word = call.word(i + 1);
      long by = Words.isInteger(word) ? Words.integer(word) : -1;
      expelled.add(
          by < 0 || by > MOST_INCREMENT
              ? Reply.error(INCREMENT)
              : add(call, top, call.word(i), by));
    }
    call.put(1, StructureKind.TOP, top);
    return Reply.array(expelled);
  }

  private static Reply add(KeyCall call, HeavyKeeper top, byte[] item, long by) {
    byte[] expelled = top.add(item, by, more -> call.mayTake(top.bytes(), more));
    return expelled == null ? Reply.NULL : Reply.bulk(expelled);
  }

  private interface OfItem {
    Reply reply(HeavyKeeper top, byte[] item);
  }

  private static Reply each(KeyCall call, OfItem body) {
    HeavyKeeper top = find(call);
    var replies = new ArrayList<Reply>();
    for (int i = 2; i < call.count(); i++) {
      replies.add(body.reply(top, call.word(i)));
    }
    return Reply.array(replies);
  }

  private static Reply list(KeyCall call) {
    if (call.count() > 3) {
      throw call.wrongCount();
    }
    boolean counts = call.count() == 3;
    if (counts && !call.is(2, "withcount")) {
      throw new Refused("WITHCOUNT keyword expected");
    }
    var replies = new ArrayList<Reply>();
    for (HeavyKeeper.Listed listed : find(call).list()) {
      replies.add(Reply.bulk(listed.item()));
      if (counts) {
        replies.add(Reply.of(listed.count()));
      }
    }
    return Reply.array(replies);
  }

  private static Reply info(KeyCall call) {
    HeavyKeeper top = find(call);
    return Reply.map(
        List.of(
            Reply.status("k"),
            Reply.of(top.k()),
            Reply.status("width"),
            Reply.of(top.width()),
            Reply.status("depth"),
            Reply.of(top.depth()),
            Reply.status("decay"),
            Reply.of(top.decay())));
  }
}
