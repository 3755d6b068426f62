package io.heatshield.data.command;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The description of a command, as COMMAND INFO and COMMAND DOCS return it.
 *
 * @param name the name in lower case; that of a subcommand is {@code client|list}
 * @param arity the number of arguments including the name; negative for a minimum
 * @param flags the flags of Redis, and our own, which begin with a plus
 * @param firstKey the position of the first key, or 0 if there is none
 * @param lastKey the position of the last key; -1 is the last argument
 * @param step the distance between keys
 * @param group the group of commands
 * @param since the version of Redis that introduced the command
 * @param summary what the command does, in one sentence
 */
public record CommandSpec(
    String name,
    int arity,
    List<String> flags,
    int firstKey,
    int lastKey,
    int step,
    String group,
    String since,
    String summary) {
  private static final int FIELDS = 9;
  private static final String MOVABLE_KEYS = "movablekeys";

  /**
   * Parses the components, which are separated by spaces; flags are separated by commas, and a dash
   * stands for no flags.
   */
  static CommandSpec parse(String line) {
    String[] fields = line.split(" ", FIELDS);
    if (fields.length != FIELDS) {
      throw new IllegalArgumentException("line must have " + FIELDS + " fields: " + line);
    }
    return new CommandSpec(
        fields[0],
        Integer.parseInt(fields[1]),
        fields[2].equals("-") ? List.of() : List.of(fields[2].split(",", -1)),
        Integer.parseInt(fields[3]),
        Integer.parseInt(fields[4]),
        Integer.parseInt(fields[5]),
        fields[6],
        fields[7],
        fields[8]);
  }

  /** Returns the name of a subcommand without its parent's. */
  public String shortName() {
    return name.substring(name.indexOf('|') + 1);
  }

  boolean has(String flag) {
    return flags.contains(flag);
  }

  /** Returns whether a command may have this number of arguments. */
  public boolean takes(int count) {
    return arity >= 0 ? count == arity : count >= -arity;
  }

  /** Returns the position of the key of a command with exactly one key, or 0. */
  int onlyKey(int count) {
    return keysEnd(count) == firstKey + 1 && !has(MOVABLE_KEYS) ? firstKey : 0;
  }

  /** Returns the keys among the arguments. */
  public List<byte[]> keys(byte[][] args) {
    if (firstKey == 0) {
      return List.of();
    }
    if (has(MOVABLE_KEYS)) {
      return countedKeys(args);
    }
    int end = keysEnd(args.length);
    if (step == 1) {
      return Arrays.asList(args).subList(firstKey, end);
    }
    var keys = new ArrayList<byte[]>();
    for (int i = firstKey; i < end; i += step) {
      keys.add(args[i]);
    }
    return keys;
  }

  /** Returns the first key and the keys whose number follows it. */
  private List<byte[]> countedKeys(byte[][] args) {
    int from = firstKey + 2;
    var keys = new ArrayList<byte[]>();
    keys.add(args[firstKey]);
    boolean counted = args.length >= from && ArgumentParser.isInteger(args[firstKey + 1]);
    long count = counted ? ArgumentParser.integer(args[firstKey + 1]) : 0;
    if (count > 0 && count <= args.length - from) {
      keys.addAll(Arrays.asList(args).subList(from, from + (int) count));
    }
    return keys;
  }

  private int keysEnd(int count) {
    return lastKey < 0 ? count + lastKey + 1 : Math.min(count, lastKey + 1);
  }
}
