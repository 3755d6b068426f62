package io.heatshield.cli;

import java.util.LinkedHashMap;
import java.util.Map;

/** The exit codes of every command. */
final class ExitCode {
  static final int FINE = 0;
  static final int NO = 1;
  static final int WRONG_USAGE = 2;
  static final int CANNOT_RUN = 3;

  private ExitCode() {}

  /** Returns the codes with their meanings, in the order that help shows them. */
  static Map<String, String> meanings() {
    var meanings = new LinkedHashMap<String, String>();
    meanings.put("0", "fine");
    meanings.put("1", "the answer is no: over limit, not valid, not hot");
    meanings.put("2", "wrong usage: an option or a value of the command line");
    meanings.put("3", "cannot reach or run: no answer, no such file, no permission");
    return meanings;
  }
}
