package io.heatshield.config.yaml;

import io.heatshield.config.value.InvalidValueException;
import io.heatshield.key.KeyText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects faults; keeps the first {@value #MOST} and counts the others. */
public final class Faults {
  public static final int MOST = 200;
  private static final int SHOWN = 60;

  private final List<Fault> faults = new ArrayList<>();
  private int dropped;

  public void add(Origin origin, String path, String message, @Nullable String hint) {
    if (isFull()) {
      dropped++;
    } else {
      faults.add(new Fault(origin, path, message, hint));
    }
  }

  public void add(Origin origin, String path, InvalidValueException problem) {
    add(origin, path, problem.problem(), problem.hint());
  }

  public boolean isFull() {
    return faults.size() >= MOST;
  }

  public boolean isEmpty() {
    return faults.isEmpty();
  }

  /** Returns the faults in the order of the file, then those of the environment. */
  public List<Fault> sorted() {
    var sorted = new ArrayList<>(faults);
    sorted.sort(Fault.BY_PLACE);
    if (dropped > 0) {
      Origin last = sorted.get(sorted.size() - 1).origin();
      sorted.add(new Fault(last, "", dropped + " more faults are not listed", null));
    }
    return List.copyOf(sorted);
  }

  /** Returns input for a message: escaped, in quotes, truncated if it is long. */
  public static String shown(String text) {
    boolean cut = text.codePointCount(0, text.length()) > SHOWN;
    String head = cut ? text.substring(0, text.offsetByCodePoints(0, SHOWN)) : text;
    return '"' + KeyText.of(head) + (cut ? "..." : "") + '"';
  }

  /** Returns input for a path: escaped and truncated if it is long. */
  public static String shownKey(String key) {
    String quoted = shown(key);
    return quoted.substring(1, quoted.length() - 1);
  }
}
