package io.heatshield.config.yaml;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The paths of settings: keys joined by dots; an item of a list by its name, or else its index, in
 * brackets, as in {@code stores[main].hot_reads.mode}.
 *
 * <p>An item with a name keeps its path when other items are added or removed, so a diff shows only
 * what changed.
 */
public final class ItemPath {
  private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}");

  private ItemPath() {}

  public static String of(String list, int index) {
    return list + "[" + index + "]";
  }

  public static String of(String list, int index, Node item) {
    if (item instanceof Node.Mapping mapping
        && mapping.get("name") instanceof Node.Scalar name
        && LABEL.matcher(name.text()).matches()) {
      return list + "[" + name.text() + "]";
    }
    return of(list, index);
  }

  /** Splits a path; an item becomes {@code [name]}. */
  public static List<String> steps(String path) {
    var steps = new ArrayList<String>();
    int from = 0;
    boolean inside = false;
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c == '[') {
        steps.add(path.substring(from, i));
        from = i;
        inside = true;
      } else if (c == ']') {
        inside = false;
      } else if (c == '.' && !inside) {
        steps.add(path.substring(from, i));
        from = i + 1;
      }
    }
    steps.add(path.substring(from));
    return steps;
  }
}
