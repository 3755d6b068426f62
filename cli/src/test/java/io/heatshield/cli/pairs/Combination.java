package io.heatshield.cli.pairs;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** One value of each factor: the configuration of one server process. */
record Combination(Map<Factor, String> choices) {
  private static final List<Factor> MODES =
      List.of(Factor.WRITE_LIMIT, Factor.HOT_READS, Factor.ROUTING, Factor.FILTER, Factor.HOT_KEYS);

  Combination {
    choices = Map.copyOf(choices);
  }

  /** Returns combinations that together have every allowed pair of values. */
  static List<Combination> all(long seed) {
    var all = new ArrayList<Combination>();
    for (int[] row : CoveringArray.of(Factor.sizes(), Factor::areAllowed, seed)) {
      var choices = new EnumMap<Factor, String>(Factor.class);
      for (int i = 0; i < row.length; i++) {
        Factor factor = Factor.ALL.get(i);
        choices.put(factor, factor.choices().get(row[i]));
      }
      all.add(new Combination(choices));
    }
    return all;
  }

  /** Returns this combination with the next mode of every action, for a reload. */
  Combination withNextModes() {
    var changed = new EnumMap<Factor, String>(choices);
    for (Factor mode : MODES) {
      if (mode != Factor.ROUTING || !isShield()) {
        int next = (mode.choices().indexOf(get(mode)) + 1) % mode.choices().size();
        changed.put(mode, mode.choices().get(next));
      }
    }
    return new Combination(changed);
  }

  /** Returns the value of a factor. */
  String get(Factor factor) {
    return choices.getOrDefault(factor, "");
  }

  /** Returns whether a factor has a value. */
  boolean has(Factor factor, String value) {
    return get(factor).equals(value);
  }

  /** Returns whether a factor that is off or on is on. */
  boolean isOn(Factor factor) {
    return has(factor, "on");
  }

  boolean isShield() {
    return has(Factor.SERVICE, "shield");
  }

  boolean isCluster() {
    return has(Factor.ENGINE, "cluster");
  }

  /** Returns whether the data is in a Redis or a cluster. */
  boolean isInRedis() {
    return isCluster() || has(Factor.ENGINE, "redis");
  }

  /** Returns whether the server has a {@code redis.url}. */
  boolean usesRedis() {
    return isOn(Factor.FLEET) || isInRedis();
  }

  /** Returns whether acknowledged writes survive the process. */
  boolean keepsData() {
    return !has(Factor.ENGINE, "memory");
  }

  /** Returns the values as indexes, in the order of the factors. */
  int[] indexes() {
    return Factor.ALL.stream().mapToInt(factor -> factor.choices().indexOf(get(factor))).toArray();
  }

  @Override
  public String toString() {
    return Factor.ALL.stream()
        .map(factor -> factor + "=" + get(factor))
        .collect(Collectors.joining(" "));
  }
}
