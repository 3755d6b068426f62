package io.heatshield.runtime.health;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What has to hold before the server counts as ready, by name.
 *
 * <p>Who is responsible for a condition reports it when it changes; a question only reads what was
 * last reported and so never waits. Any thread may report or ask.
 */
public final class Health {
  private final Map<String, Check> checks = new LinkedHashMap<>();
  private volatile boolean stopping;

  /** Creates a health that nothing stands against yet. */
  public Health() {}

  /**
   * Adds a condition, which fails as {@code not yet} until its first report.
   *
   * @throws IllegalArgumentException if there is one of that name
   */
  public synchronized Check expect(String name) {
    var check = new Check();
    if (checks.putIfAbsent(name, check) != null) {
      throw new IllegalArgumentException("name must be new: " + name);
    }
    return check;
  }

  /** Makes the server not ready for good, so that callers go elsewhere while it stops. */
  public void stopping() {
    stopping = true;
  }

  /** Returns what is missing, one line each, in the order the conditions were added. */
  public synchronized List<String> missing() {
    if (stopping) {
      return List.of("server: stopping");
    }
    return checks.entrySet().stream()
        .filter(check -> !check.getValue().fault.isEmpty())
        .map(check -> check.getKey() + ": " + check.getValue().fault)
        .toList();
  }

  /** Returns what is amiss although the server is ready, one line each. */
  public synchronized List<String> warnings() {
    return checks.entrySet().stream()
        .filter(check -> !check.getValue().warning.isEmpty())
        .map(check -> check.getKey() + ": " + check.getValue().warning)
        .toList();
  }

  /** Returns whether nothing is missing. */
  public boolean isReady() {
    return missing().isEmpty();
  }

  /** One condition, in the hands of who can tell whether it holds. */
  public static final class Check {
    private volatile String fault = "not yet";
    private volatile String warning = "";

    private Check() {}

    /** Reports that the condition holds. */
    public void pass() {
      fault = "";
      warning = "";
    }

    /** Reports that the server is ready although something is amiss, and what, in such a line. */
    public void warn(String why) {
      warning = line(why);
      fault = "";
    }

    /** Reports that the condition does not hold, and why, in a line without secrets or keys. */
    public void fail(String why) {
      fault = line(why);
      warning = "";
    }

    private static String line(String why) {
      if (why.isBlank() || why.indexOf('\n') >= 0) {
        throw new IllegalArgumentException("why must be one line of text: " + why);
      }
      return why;
    }
  }
}
