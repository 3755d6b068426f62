package io.heatshield.data.command.sketch;

import io.heatshield.data.command.CommandException;
import io.heatshield.data.command.KeyCall;
import io.heatshield.redisbloom.LayeredCuckoo;
import io.heatshield.redisbloom.StructureKind;
import io.heatshield.resp.Reply;
import io.heatshield.snapshot.InvalidSnapshotException;
import java.util.List;

/** CF.SCANDUMP and CF.LOADCHUNK, which transfer a filter in chunks of the size of a value. */
final class CuckooChunks {
  private static final Reply END = Reply.array(List.of(Reply.ZERO, Reply.NULL));
  private static final String POSITION = "Invalid position";
  private static final int LEAST_HEADER = 64;
  private static final int MOST_HEADER = 1024;
  private static final int MOST_CHUNK = 1 << 20;

  private CuckooChunks() {}

  /**
   * Returns a chunk and the position of the next one. Position 0 returns the header; the content
   * begins at 1.
   */
  static Reply dump(KeyCall call) {
    long position = position(call);
    LayeredCuckoo filter = CuckooCommands.findLoaded(call, "ERR not found");
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

  /** Loads a chunk with the position that it was returned with. */
  static Reply load(KeyCall call) {
    long position = position(call);
    if (position == 0) {
      throw new CommandException(POSITION);
    }
    if (position == 1) {
      return loadHeader(call);
    }
    LayeredCuckoo filter =
        call.modifiable(CuckooCommands.find(call, "ERR not found"), LayeredCuckoo.class);
    try {
      filter.load(call.arg(3), position - 1);
    } catch (InvalidSnapshotException e) {
      throw new CommandException("Couldn't load chunk!");
    }
    call.put(1, StructureKind.CUCKOO, filter);
    return Reply.OK;
  }

  private static Reply loadHeader(KeyCall call) {
    CommandException.ifPresent(call.value(1), StructureKind.CUCKOO, "ERR item exists");
    byte[] header = call.arg(3);
    if (header.length < LEAST_HEADER || header.length > MOST_HEADER) {
      throw new CommandException("Invalid header");
    }
    try {
      LayeredCuckoo filter = LayeredCuckoo.fromHeader(header, bytes -> call.mayGrow(0, bytes));
      call.put(1, StructureKind.CUCKOO, filter);
    } catch (InvalidSnapshotException e) {
      throw new CommandException("Couldn't create filter!");
    }
    return Reply.OK;
  }

  private static long position(KeyCall call) {
    return call.integer(2, 0, Long.MAX_VALUE, POSITION);
  }
}
