package io.heatshield.data.command;

import io.heatshield.redisbloom.LayeredCuckoo;
import io.heatshield.redisbloom.StructureKind;
import io.heatshield.resp.Reply;
import io.heatshield.snapshot.InvalidSnapshotException;
import java.util.List;

/** CF.SCANDUMP and CF.LOADCHUNK: a filter in pieces that fit into one word of a command. */
final class CuckooChunks {
  private static final Reply END = Reply.array(List.of(Reply.ZERO, Reply.NULL));
  private static final String POSITION = "Invalid position";
  private static final int LEAST_HEADER = 64;
  private static final int MOST_HEADER = 1024;
  private static final int MOST_CHUNK = 1 << 20;

  private CuckooChunks() {}

  /**
   * Answers with a piece and the position of the next one: 0 gives the header and 1; the content
   * begins at 1.
   */
  static Reply dump(KeyCall call) {
    long position = position(call);
    LayeredCuckoo filter = CuckooCommands.need(call, "ERR not found");
    if (filter.size() == 0) {
      return END;
    }
    if (position == 0) {
      return Reply.array(List.of(Reply.ONE, Reply.bulk(filter.header())));
    }
    int most = Math.min(MOST_CHUNK, call.store().maxValueBytes());
    LayeredCuckoo.Piece piece = filter.piece(position - 1, most);
    return piece == null
        ? END
        : Reply.array(List.of(Reply.of(piece.next() + 1), Reply.bulk(piece.chunk())));
  }

  /** Takes a piece with the position that came with it. */
  static Reply load(KeyCall call) {
    long position = position(call);
    if (position == 0) {
      throw new Refused(POSITION);
    }
    if (position == 1) {
      return loadHeader(call);
    }
    LayeredCuckoo held = CuckooCommands.find(call);
    if (held == null) {
      throw new Refused("ERR not found");
    }
    LayeredCuckoo filter = call.own(held, LayeredCuckoo.class);
    try {
      filter.load(call.word(3), position - 1);
    } catch (InvalidSnapshotException e) {
      throw new Refused("Couldn't load chunk!");
    }
    call.put(1, StructureKind.CUCKOO, filter);
    return Reply.OK;
  }

  private static Reply loadHeader(KeyCall call) {
    Refused.ifHeld(call.value(1), StructureKind.CUCKOO, "ERR item exists");
    byte[] header = call.word(3);
    if (header.length < LEAST_HEADER || header.length > MOST_HEADER) {
      throw new Refused("Invalid header");
    }
    try {
      LayeredCuckoo filter = LayeredCuckoo.fromHeader(header, bytes -> call.mayTake(0, bytes));
      call.put(1, StructureKind.CUCKOO, filter);
    } catch (InvalidSnapshotException e) {
      throw new Refused("Couldn't create filter!");
    }
    return Reply.OK;
  }

  private static long position(KeyCall call) {
    long position = Words.integer(call.word(2), POSITION);
    if (position < 0) {
      throw new Refused(POSITION);
    }
    return position;
  }
}
