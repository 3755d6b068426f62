package io.heatshield.cli.pairs;

import java.util.List;
import java.util.Locale;

/** A setting that combinations vary; modes and sizes are written as in the file. */
enum Factor {
  /** The engine of the data. */
  ENGINE("memory rocksdb redis cluster"),
  /** The service on the RESP port: guarded stores, or the shield in front of a Redis. */
  SERVICE("data shield"),
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
  /** {@code on} if the process is part of a fleet. */
  FLEET("off on"),
  /** {@code on} if clients and Redis connections must authenticate. */
  USERS("off on"),
  /** {@code on} if every port uses TLS. */
  TLS("off on"),
  /** The protocol of the clients. */
  PROTOCOL("resp2 resp3"),
  /** {@code kept} if the state folder, with secret and filter, still exists after a restart. */
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
    boolean shield = factor == SERVICE && choice.equals("shield");
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
