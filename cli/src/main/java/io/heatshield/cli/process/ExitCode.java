package io.heatshield.cli.process;

import java.util.LinkedHashMap;
import java.util.Map;

/** The exit codes of every command. */
public final class ExitCode {
  public static final int OK = 0;
  public static final int NEGATIVE = 1;
  public static final int WRONG_USAGE = 2;
  public static final int CANNOT_RUN = 3;

  private ExitCode() {}

  /** Returns the codes with their descriptions, in the order of the help text. */
  public static Map<String, String> meanings() {
    var meanings = new LinkedHashMap<String, String>();
    meanings.put("0", "success");
    meanings.put("1", "the result is negative: over limit, not valid, not hot, not ready");
    meanings.put("2", "wrong usage: an option or argument of the command line");
    meanings.put("3", "cannot run: server unavailable, no such file, permission denied");
    return meanings;
  }
}
