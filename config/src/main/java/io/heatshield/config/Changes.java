package io.heatshield.config;

import io.heatshield.config.bind.Field;
import io.heatshield.config.bind.Leaf;
import io.heatshield.config.bind.Section;
import io.heatshield.config.settings.Settings;
import io.heatshield.config.yaml.ItemPath;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds what differs between two configurations. */
public final class Changes {
  private Changes() {}

  static List<Change> between(Map<String, Leaf> before, Map<String, Leaf> after) {
    var changes = new ArrayList<Change>();
    Set<String> parentsBefore = parents(before);
    Set<String> parentsAfter = parents(after);
    var reported = new LinkedHashSet<String>();
    for (Leaf old : before.values()) {
      if (!after.containsKey(old.path())) {
        String gone = outermost(old.path(), parentsBefore, parentsAfter);
        boolean becameSection = parentsAfter.contains(old.path());
        if (!becameSection && reported.add(gone)) {
          changes.add(new Change(gone, "", null, !isLive(gone)));
        }
      }
    }
    for (Leaf leaf : after.values()) {
      Leaf old = before.get(leaf.path());
      if (old == null) {
        String came = outermost(leaf.path(), parentsAfter, parentsBefore);
        boolean wasSection = parentsBefore.contains(leaf.path());
        if (!wasSection && reported.add(came)) {
          changes.add(new Change(came, null, "", !isLive(came)));
        }
      } else if (!leaf.sameAs(old)) {
        boolean restart = !leaf.field().setting().live();
        changes.add(new Change(leaf.path(), old.shown(), leaf.shown(), restart));
      }
    }
    return List.copyOf(changes);
  }

  /** Returns whether parts of the section that a path leads into may come and go. */
  private static boolean isLive(String path) {
    Field section = Section.of(Settings.class).field(ItemPath.steps(path).get(0));
    return section != null && section.setting().live();
  }

  /** Returns the outermost part of a path that only one side has. */
  private static String outermost(String path, Set<String> ours, Set<String> theirs) {
    for (int i = 1; i < path.length(); i++) {
      char c = path.charAt(i);
      boolean boundary = c == '.' || c == '[';
      if (boundary) {
        String head = path.substring(0, i);
        if (ours.contains(head) && !theirs.contains(head)) {
          return head;
        }
      }
    }
    return path;
  }

  /** Returns every section and item that has a leaf inside. */
  private static Set<String> parents(Map<String, Leaf> leaves) {
    var parents = new LinkedHashSet<String>();
    for (String path : leaves.keySet()) {
      for (int i = 1; i < path.length(); i++) {
        char c = path.charAt(i);
        if (c == '.' || c == '[') {
          parents.add(path.substring(0, i));
        }
      }
    }
    return parents;
  }
}
