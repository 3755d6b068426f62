package io.heatshield.runtime.health;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The named conditions for the server to be ready. Thread-safe.
 *
 * <p>The component responsible for a condition reports its changes. Queries read what was last
 * reported and never block.
 */
public final class Health {
  private final Map<String, Check> checks = new LinkedHashMap<>();
  private volatile boolean stopping;

  /** Creates a health without conditions, which is ready. */
  public Health() {}

  /**
   * Adds a condition, which fails as {@code not yet} until its first report.
   *
   * @throws IllegalArgumentException if the name is in use
   */
  public synchronized Check expect(String name) {
    var check = new Check();
    if (checks.putIfAbsent(name, check) != null) {
      throw new IllegalArgumentException("name must be new: " + name);
    }
    return check;
  }

  /** Makes the server permanently not ready, so that callers use other servers. */
  public void stopping() {
    stopping = true;
  }

  /** Returns a line for each failing condition, in the order in which they were added. */
  public synchronized List<String> missing() {
    if (stopping) {
      return List.of("server: stopping");
    }
    return lines(check -> check.fault);
  }

  /** Returns a line for each condition that passes with a warning. */
  public synchronized List<String> warnings() {
    return lines(check -> check.warning);
  }

  private List<String> lines(Function<Check, String> text) {
    var lines = new ArrayList<String>();
    checks.forEach(
        (name, check) -> {
          String line = text.apply(check);
          if (!line.isEmpty()) {
            lines.add(name + ": " + line);
          }
        });
    return lines;
  }

  /** Returns whether all conditions pass. */
  public boolean isReady() {
    return missing().isEmpty();
  }

  /** One condition, reported by the component responsible for it. */
  public static final class Check {
    private volatile String fault = "not yet";
    private volatile String warning = "";

    private Check() {}

    /** Reports that the condition holds. */
    public void pass() {
      fault = "";
      warning = "";
    }

    /** Reports that the condition holds with a warning, a line without secrets or keys. */
    public void warn(String why) {
      warning = line(why);
      fault = "";
    }

    /** Reports that the condition fails, with a reason: a line without secrets or keys. */
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
