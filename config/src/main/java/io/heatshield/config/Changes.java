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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Compares two configurations. */
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

  /** Returns whether parts of the section of a path may be added and removed without a restart. */
  private static boolean isLive(String path) {
    Field section = Section.of(Settings.class).field(ItemPath.steps(path).get(0));
    return section != null && section.setting().live();
  }

  /** Returns the outermost section or item of a path that exists on one side only. */
  private static String outermost(String path, Set<String> ours, Set<String> theirs) {
    return parents(path)
        .filter(head -> ours.contains(head) && !theirs.contains(head))
        .findFirst()
        .orElse(path);
  }

  /** Returns all sections and items that contain a value. */
  private static Set<String> parents(Map<String, Leaf> leaves) {
    return leaves.keySet().stream().flatMap(Changes::parents).collect(Collectors.toSet());
  }

  /** Returns the sections and items around a path, outermost first. */
  private static Stream<String> parents(String path) {
    return IntStream.range(1, path.length())
        .filter(i -> path.charAt(i) == '.' || path.charAt(i) == '[')
        .mapToObj(i -> path.substring(0, i));
  }
}
