package io.heatshield.cli.pairs;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The warnings that a server may log in a combination without a fault. */
final class ExpectedLog {
  private static final Pattern COMPLAINT =
      Pattern.compile("\"level\":\"(WARN|ERROR)\"|\"stack\":|^\\s+at |Exception|^warning: |SEVERE");

  private ExpectedLog() {}

  /** Returns whether a line reports a problem that the combination does not explain. */
  static boolean isComplaint(String line, Combination combination) {
    return COMPLAINT.matcher(line).find()
        && expected(combination).stream().noneMatch(line::contains);
  }

  private static List<String> expected(Combination combination) {
    var expected = new ArrayList<>(List.of("\"hot key {"));
    if (combination.isOn(Factor.FLEET)) {
      expected.add("is hot in the fleet");
      // A machine so busy that a node misses two intervals.
      expected.add("is unavailable, reporting only the counts of this node");
    }
    if (combination.isCluster() && !combination.isShield()) {
      expected.add("cannot be rebuilt and is not used");
    }
    if (combination.has(Factor.MEMORY, "1MiB") && !combination.isShield()) {
      expected.add("bytes: past ");
      expected.add("bytes: false positive rate ");
    }
    if (combination.isInRedis()) {
      // A machine so busy that a Redis is silent for a second or two.
      expected.add("does not answer yet");
      expected.add("are interrupted: serving nothing from memory");
    }
    return expected;
  }
}
