package io.heatshield.cli.pairs;

import java.util.List;
import java.util.Locale;

/** What a combination chooses a value for; modes and sizes are written as the file has them. */
enum Factor {
  /** Where the data lies. */
  ENGINE("memory rocksdb redis cluster"),
  /** What clients talk to: a guarded store, or the shield in front of a Redis. */
  DOOR("data shield"),
  /** The mode of {@code write_limit}. */
  WRITE_LIMIT("off observe enforce"),
  /** The mode of {@code hot_reads}. */
  HOT_READS("off observe enforce"),
  /** The mode of {@code routing}. */
  ROUTING("off observe enforce"),
  /** The mode of {@code cuckoo_filter}, or of the shield's {@code absence}. */
  FILTER("off observe enforce"),
  /** The mode of {@code limits.hot_keys}. */
  HOT_KEYS("off observe enforce"),
  /** Whether the process counts in a fleet. */
  FLEET("off on"),
  /** Whether clients must log in, and the Redis asks for a password. */
  USERS("off on"),
  /** Whether every door speaks TLS. */
  TLS("off on"),
  /** The protocol of the clients. */
  PROTOCOL("resp2 resp3"),
  /** Whether the folder of the state, with secret and filter, is there after a restart. */
  STATE("kept lost"),
  /** The setting {@code max_memory}. */
  MEMORY("1MiB 256MiB"),
  /** The setting {@code writers}. */
  WRITERS("exclusive shared");

  /** All factors, in the order of a row. */
  static final List<Factor> ALL = List.of(values());

  private final String choices;

  Factor(String choices) {
    this.choices = choices;
  }

  /** Returns the values to choose from. */
  List<String> choices() {
    return List.of(choices.split(" ", -1));
  }

  /** Returns the number of values of each factor. */
  static int[] sizes() {
    return ALL.stream().mapToInt(factor -> factor.choices().size()).toArray();
  }

  /** Returns whether two values can stand in one configuration. */
  static boolean areAllowed(int factor, int value, int other, int otherValue) {
    Factor one = ALL.get(factor);
    Factor two = ALL.get(other);
    String choice = one.choices().get(value);
    String otherChoice = two.choices().get(otherValue);
    return isAllowed(one, choice, two, otherChoice) && isAllowed(two, otherChoice, one, choice);
  }

  /** The shield and other writers need a Redis, and only a store has routing. */
  private static boolean isAllowed(Factor factor, String choice, Factor other, String otherChoice) {
    boolean shield = factor == DOOR && choice.equals("shield");
    boolean shared = factor == WRITERS && choice.equals("shared");
    return switch (other) {
      case ENGINE -> isRedis(otherChoice) || !(shield || shared);
      case ROUTING -> otherChoice.equals("off") || !shield;
      default -> true;
    };
  }

  private static boolean isRedis(String engine) {
    return engine.equals("redis") || engine.equals("cluster");
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
