package io.heatshield.cli.pairs;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A random stream of steps on some forty keys, one of which is in every second command.
 *
 * <p>Keys lie in three hash tags, so that a cluster has them on several nodes. Where several keys
 * must lie in one slot they share a tag. The counter is only incremented and read, and the twins
 * are only written together with the same value, so that a reader can check both at any time.
 */
final class RandomSteps {
  /** The key that turns hot. */
  static final String COUNTER = "{a}counter";

  /** Two keys that always hold the same value. */
  static final List<String> TWINS = List.of("{b}twin-1", "{b}twin-2");

  private static final List<String> TAGS = List.of("{a}", "{b}", "{c}");
  private static final int KEYS_PER_TAG = 12;
  private static final int LARGE_VALUE = 40_000;

  private final Random random;
  private final boolean acrossSlots;
  private int writes;

  /**
   * Creates a stream.
   *
   * @param acrossSlots whether one write may name keys of several slots
   */
  RandomSteps(Random random, boolean acrossSlots) {
    this.random = random;
    this.acrossSlots = acrossSlots;
  }

  /** Returns every key that a step may name. */
  static List<String> keys() {
    var keys = new ArrayList<String>();
    keys.add(COUNTER);
    keys.addAll(TWINS);
    for (String tag : TAGS) {
      for (int i = 0; i < KEYS_PER_TAG; i++) {
        keys.add(tag + "key-" + i);
      }
    }
    return keys;
  }

  /** Returns the next step. */
  Step next() {
    return switch (random.nextInt(12)) {
      case 0, 1, 2 -> Step.of("INCRBY", COUNTER, "1");
      case 3, 4 -> Step.of("GET", COUNTER);
      case 5 -> twins();
      case 6 -> transaction();
      case 7, 8 -> Step.of(severalKeys());
      default -> Step.of(oneKey(key(tag())));
    };
  }

  /** Returns a write whose result does not depend on the old value; never of the counter. */
  Step nextOverwrite() {
    String tag = tag();
    return switch (random.nextInt(6)) {
      case 0 -> Step.of("INCRBY", COUNTER, "1");
      case 1, 2 -> twins();
      case 3 -> Step.of("DEL", key(tag));
      default -> Step.of("SET", key(tag), value());
    };
  }

  private Step twins() {
    String value = value();
    String first = TWINS.get(0);
    String second = TWINS.get(1);
    return random.nextBoolean()
        ? Step.of("MSET", first, value, second, value)
        : new Step(List.of(List.of("SET", first, value), List.of("SET", second, value)), true);
  }

  private Step transaction() {
    String tag = tag();
    var commands = new ArrayList<List<String>>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      List<String> command = oneKey(key(tag));
      commands.add(command.get(0).equals("TTL") ? List.of("GET", command.get(1)) : command);
    }
    return new Step(commands, true);
  }

  private List<String> oneKey(String key) {
    return switch (random.nextInt(20)) {
      case 0, 1, 2 -> List.of("GET", key);
      case 3, 4 -> List.of("SET", key, value());
      case 5 -> List.of("SET", key, value(), "EX", "1000");
      case 6 -> List.of("SET", key, value(), "NX", "GET");
      case 7 -> List.of("SET", key, value(), "KEEPTTL");
      case 8 -> List.of("SET", key, value(), "XX", "EX", "1000");
      case 9 -> List.of("SETNX", key, value());
      case 10 -> List.of("GETDEL", key);
      case 11 -> List.of("STRLEN", key);
      case 12 -> List.of("APPEND", key, Integer.toString(random.nextInt(100)));
      case 13, 14 -> List.of("INCRBY", key, Integer.toString(random.nextInt(200) - 100));
      case 15 -> List.of("EXPIRE", key, random.nextInt(3) == 0 ? "-1" : "1000");
      case 16 -> List.of("PERSIST", key);
      case 17 -> List.of("TTL", key);
      case 18 -> List.of("TYPE", key);
      default -> List.of("DEL", key);
    };
  }

  private List<String> severalKeys() {
    String tag = tag();
    return switch (random.nextInt(8)) {
      case 0, 1 -> List.of("MGET", COUNTER, key(tag()), key(tag()), key(tag()));
      case 2 -> List.of("EXISTS", key(tag()), key(tag()), key(tag()));
      case 3 -> List.of("DEL", key(tag), key(acrossSlots ? tag() : tag));
      case 4 -> List.of("MSET", key(tag), value(), key(acrossSlots ? tag() : tag), value());
      case 5 -> List.of("MSETNX", key(tag), value(), key(tag), value());
      case 6 -> List.of("RENAME", key(tag), key(tag));
      default -> List.of("RENAMENX", key(tag), key(tag));
    };
  }

  private String tag() {
    return TAGS.get(random.nextInt(TAGS.size()));
  }

  private String key(String tag) {
    return tag + "key-" + random.nextInt(KEYS_PER_TAG);
  }

  /** Returns a number, a short text or a long one, each value different from all before. */
  private String value() {
    writes++;
    return switch (random.nextInt(20)) {
      case 0, 1, 2, 3 -> Integer.toString(writes);
      case 4 -> "v" + writes + "x".repeat(random.nextInt(LARGE_VALUE));
      default -> "v" + writes;
    };
  }
}
