package io.heatshield.data.command.sketch;

import io.heatshield.data.command.Command;
import io.heatshield.data.command.CommandException;
import io.heatshield.data.command.CommandGroup;
import io.heatshield.data.command.KeyCall;
import io.heatshield.data.command.MapReply;
import io.heatshield.redisbloom.HeavyKeeper;
import io.heatshield.redisbloom.StructureKind;
import io.heatshield.resp.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/** The commands on lists of the most frequent items, with the replies of RedisBloom. */
public final class TopCommands {
  private static final long WIDTH = 8;
  private static final long DEPTH = 7;
  private static final double DECAY = 0.9;
  private static final long MAX = (1L << 32) - 1;
  private static final int MAX_INCREMENT = 100_000;
  private static final String INCREMENT =
      "TopK: increment must be an integer greater or equal to 0"
          + " ".repeat(28)
          + "and smaller or equal to 100,000";

  private TopCommands() {}

  public static List<Command> all() {
    return new CommandGroup("topk")
        .write(
            "topk.reserve -3 denyoom,+inplace 2.0.0 Creates a list of the most frequent items.",
            TopCommands::reserve)
        .write(
            "topk.add -3 denyoom,+inplace 2.0.0 Counts items; returns those dropped from the list.",
            TopCommands::add)
        .write(
            "topk.incrby -4 denyoom,+inplace 2.0.0 Adds to the counts of items.",
            TopCommands::increment)
        .read(
            "topk.query -3 - 2.0.0 Returns which items are on the list.",
            call -> forEach(call, (top, item) -> Reply.of(top.contains(top.hash(item)))))
        .read(
            "topk.count -3 - 2.0.0 Returns the counts of items.",
            call -> forEach(call, (top, item) -> Reply.of(top.count(top.hash(item)))))
        .read("topk.list -2 - 2.0.0 Returns the list.", TopCommands::list)
        .read("topk.info 2 - 2.0.0 Describes the list.", TopCommands::info)
        .commands();
  }

  private static Reply reserve(KeyCall call) {
    if (call.count() != 3 && call.count() != 6) {
      throw call.wrongCount();
    }
    if (call.value(1) != null) {
      throw new CommandException("TopK: key already exists");
    }
    long k = call.integer(2, 1, MAX, "TopK: invalid k");
    long width = WIDTH;
    long depth = DEPTH;
    double decay = DECAY;
    if (call.count() == 6) {
      width = call.integer(3, 1, MAX, "TopK: invalid width");
      depth = call.integer(4, 1, MAX, "TopK: invalid depth");
      String wrong = "TopK: invalid decay value. must be '<= 1' & '> 0'";
      decay = call.real(5, wrong);
      if (decay <= 0 || decay > 1) {
        throw new CommandException(wrong);
      }
    }
    if (!call.mayGrow(0, HeavyKeeper.bytes(k, width, depth))) {
      throw new CommandException("ERR Insufficient memory to create topk data structure");
    }
    call.put(1, StructureKind.TOP, HeavyKeeper.create(k, width, depth, decay));
    return Reply.OK;
  }

  private static HeavyKeeper find(KeyCall call) {
    HeavyKeeper top = call.structure(1, StructureKind.TOP, HeavyKeeper.class);
    if (top == null) {
      throw new CommandException("TopK: key does not exist");
    }
    return top;
  }

  private static Reply add(KeyCall call) {
    HeavyKeeper top = call.modifiable(find(call), HeavyKeeper.class);
    var expelled = new ArrayList<Reply>();
    for (int i = 2; i < call.count(); i++) {
      expelled.add(add(call, top, call.arg(i), 1));
    }
    call.put(1, StructureKind.TOP, top);
    return Reply.array(expelled);
  }

  /** Adds all pairs; an invalid number is replied to with an error at its position. */
  private static Reply increment(KeyCall call) {
    if (call.count() % 2 == 1) {
      throw call.wrongCount();
    }
    HeavyKeeper top = call.modifiable(find(call), HeavyKeeper.class);
    var expelled = new ArrayList<Reply>();
    for (int i = 2; i < call.count(); i += 2) {
      long by = call.isInteger(i + 1) ? call.integer(i + 1) : -1;
      expelled.add(
          by < 0 || by > MAX_INCREMENT ? Reply.error(INCREMENT) : add(call, top, call.arg(i), by));
    }
    call.put(1, StructureKind.TOP, top);
    return Reply.array(expelled);
  }

  private static Reply add(KeyCall call, HeavyKeeper top, byte[] item, long by) {
    byte[] expelled = top.add(item, by, more -> call.mayGrow(top.bytes(), more));
    return expelled == null ? Reply.NULL : Reply.bulk(expelled);
  }

  private static Reply forEach(KeyCall call, BiFunction<HeavyKeeper, byte[], Reply> body) {
    HeavyKeeper top = find(call);
    var replies = new ArrayList<Reply>();
    for (int i = 2; i < call.count(); i++) {
      replies.add(body.apply(top, call.arg(i)));
    }
    return Reply.array(replies);
  }

  private static Reply list(KeyCall call) {
    if (call.count() > 3) {
      throw call.wrongCount();
    }
    boolean counts = call.count() == 3;
    if (counts && !call.is(2, "withcount")) {
      throw new CommandException("WITHCOUNT keyword expected");
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
    return MapReply.withStatusNames()
        .add("k", top.k())
        .add("width", top.width())
        .add("depth", top.depth())
        .add("decay", top.decay())
        .build();
  }
}
