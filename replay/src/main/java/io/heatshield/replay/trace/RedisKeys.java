package io.heatshield.replay.trace;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Finds the first key of a Redis command. */
final class RedisKeys {
  /*
   * Commands are looked up by a 64-bit hash of the lower-case name, which needs no allocation. For
   * commands that are not listed, the first argument is the first key, which is correct for nearly
   * all commands.
   */
  private static final Position FIRST = new Position(1, 0, false);
  private static final Position NONE = new Position(0, 0, false);
  private static final Map<Position, List<String>> EXCEPTIONS =
      Map.of(
          NONE,
          List.of(
              ("acl asking auth bgrewriteaof bgsave client cluster command config dbsize discard echo exec failover"
                      + " flushall flushdb function hello info keys lastsave latency lolwut module monitor multi ping"
                      + " psubscribe psync publish pubsub punsubscribe quit randomkey readonly readwrite replconf"
                      + " replicaof reset role save scan script select shutdown slaveof slowlog spublish ssubscribe"
                      + " subscribe sunsubscribe swapdb sync time unsubscribe unwatch wait waitaof")
                  .split(" ")),
          new Position(2, 0, false),
          List.of("bitop", "object", "memory", "debug", "xinfo", "xgroup"),
          new Position(2, 1, false),
          List.of("lmpop", "zmpop", "sintercard", "zinter", "zunion", "zdiff", "zintercard"),
          new Position(3, 2, false),
          List.of(
              "eval", "evalsha", "eval_ro", "evalsha_ro", "fcall", "fcall_ro", "blmpop", "bzmpop"),
          new Position(3, 0, false),
          List.of("migrate"),
          new Position(0, 0, true),
          List.of("xread", "xreadgroup"));

  static final long STREAMS = code("streams");
  private static final long[] CODES;
  private static final Position[] POSITIONS;

  static {
    var byCode = new HashMap<Long, Position>();
    EXCEPTIONS.forEach(
        (position, names) -> names.forEach(name -> byCode.put(code(name), position)));
    CODES = byCode.keySet().stream().mapToLong(Long::longValue).sorted().toArray();
    POSITIONS = new Position[CODES.length];
    Arrays.setAll(POSITIONS, i -> Objects.requireNonNull(byCode.get(CODES[i])));
  }

  private RedisKeys() {}

  /** Returns the position of the first key of a command. */
  static Position of(byte[] name, int length) {
    int index = Arrays.binarySearch(CODES, code(name, length));
    return index < 0 ? FIRST : POSITIONS[index];
  }

  static long code(byte[] name, int length) {
    long code = length;
    for (int i = 0; i < length; i++) {
      code = (code ^ (name[i] | 0x20)) * 0x100000001b3L;
    }
    return code;
  }

  private static long code(String name) {
    return code(name.getBytes(StandardCharsets.US_ASCII), name.length());
  }

  /**
   * The position of the first key.
   *
   * @param argument the number of the argument, 0 if the command has no keys
   * @param keyCount the number of the argument with the key count, 0 if there is none
   * @param afterStreams whether the key follows the word {@code STREAMS}
   */
  record Position(int argument, int keyCount, boolean afterStreams) {
    boolean isNone() {
      return argument == 0 && !afterStreams;
    }
  }
}
