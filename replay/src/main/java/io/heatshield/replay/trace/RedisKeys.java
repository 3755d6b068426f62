package io.heatshield.replay.trace;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Where Redis commands have their first key. */
final class RedisKeys {
  /*
   * A command is looked up by a 64-bit code of its lower-case letters, without making a text of it. Commands that are
   * not listed have their first key as their first argument, which is so for nearly all.
   */
  private static final Place FIRST = new Place(1, 0, false);
  private static final Place NONE = new Place(0, 0, false);
  private static final Map<Place, List<String>> ODD =
      Map.of(
          NONE,
          List.of(
              ("acl asking auth bgrewriteaof bgsave client cluster command config dbsize discard echo exec failover"
                      + " flushall flushdb function hello info keys lastsave latency lolwut module monitor multi ping"
                      + " psubscribe psync publish pubsub punsubscribe quit randomkey readonly readwrite replconf"
                      + " replicaof reset role save scan script select shutdown slaveof slowlog spublish ssubscribe"
                      + " subscribe sunsubscribe swapdb sync time unsubscribe unwatch wait waitaof")
                  .split(" ")),
          new Place(2, 0, false),
          List.of("bitop", "object", "memory", "debug", "xinfo", "xgroup"),
          new Place(2, 1, false),
          List.of("lmpop", "zmpop", "sintercard", "zinter", "zunion", "zdiff", "zintercard"),
          new Place(3, 2, false),
          List.of(
              "eval", "evalsha", "eval_ro", "evalsha_ro", "fcall", "fcall_ro", "blmpop", "bzmpop"),
          new Place(3, 0, false),
          List.of("migrate"),
          new Place(0, 0, true),
          List.of("xread", "xreadgroup"));

  static final long STREAMS = code("streams");
  private static final long[] CODES;
  private static final Place[] PLACES;

  static {
    var byCode = new HashMap<Long, Place>();
    ODD.forEach((place, names) -> names.forEach(name -> byCode.put(code(name), place)));
    CODES = byCode.keySet().stream().mapToLong(Long::longValue).sorted().toArray();
    PLACES = new Place[CODES.length];
    Arrays.setAll(PLACES, i -> Objects.requireNonNull(byCode.get(CODES[i])));
  }

  private RedisKeys() {}

  /** Returns where the command of this name has its first key. */
  static Place of(byte[] name, int length) {
    int index = Arrays.binarySearch(CODES, code(name, length));
    return index < 0 ? FIRST : PLACES[index];
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
   * The place of a first key.
   *
   * @param argument its number among the arguments, 0 if the command has none
   * @param keysAt the number of the argument that counts the keys, 0 if there is none
   * @param afterStreams whether it follows the word {@code STREAMS}
   */
  record Place(int argument, int keysAt, boolean afterStreams) {
    boolean isNone() {
      return argument == 0 && !afterStreams;
    }
  }
}
