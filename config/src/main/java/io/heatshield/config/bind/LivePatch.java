package io.heatshield.config.bind;

import io.heatshield.config.settings.Settings;
import io.heatshield.config.value.InvalidValueException;
import io.heatshield.config.value.NearestName;
import io.heatshield.config.yaml.Faults;
import io.heatshield.config.yaml.ItemPath;
import io.heatshield.config.yaml.Node;
import io.heatshield.config.yaml.Origin;
import io.heatshield.config.yaml.YamlReader;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Changes live settings of a running server, in sections that exist. */
public final class LivePatch {
  private LivePatch() {}

  /** Returns the nodes with a patch applied; adds a fault for each part that cannot be applied. */
  public static Node.Mapping apply(Node.Mapping root, Map<String, String> patch, Faults faults) {
    Node.Mapping patched = root;
    for (Map.Entry<String, String> entry : new TreeMap<>(patch).entrySet()) {
      String path = entry.getKey();
      String shown = Faults.shownKey(path);
      try {
        requireLive(root, path);
        var malformed = new Faults();
        Node value = YamlReader.read(entry.getValue(), Origin.LIVE, malformed);
        if (value == null || !malformed.isEmpty()) {
          throw new InvalidValueException("must be one value as the file would hold it");
        }
        patched = Overlay.put(patched, path, value);
      } catch (InvalidValueException e) {
        faults.add(Origin.LIVE, shown, e);
      }
    }
    return patched;
  }

  private static void requireLive(Node.Mapping root, String path) {
    Section section = Section.of(Settings.class);
    Node at = root;
    List<String> steps = ItemPath.steps(path);
    for (int i = 0; i < steps.size(); i++) {
      Field field = section.field(steps.get(i));
      if (field == null) {
        throw new InvalidValueException(
            "unknown key", NearestName.hint(steps.get(i), section.keys()));
      }
      Node given = at instanceof Node.Mapping mapping ? mapping.get(field.key()) : null;
      at = given == null || given.isNull() ? field.initial() : given;
      if (i == steps.size() - 1) {
        requireLive(field);
        return;
      }
      if (!field.isSection()) {
        throw new InvalidValueException("unknown key", field.key() + " has no keys inside");
      }
      if (at.isNull()) {
        throw new InvalidValueException(
            "there is no " + field.key() + " section", "add it to the file");
      }
      if (field.list()) {
        i++;
        at = item(at, steps.get(i));
        if (at == null || i == steps.size() - 1) {
          throw new InvalidValueException("there is no such item in " + field.key());
        }
      }
      section = field.section();
    }
  }

  private static void requireLive(Field field) {
    if (!field.setting().live() || field.isSection()) {
      throw new InvalidValueException(
          "cannot be changed in a running server", "change it in the file and restart");
    }
  }

  private static @Nullable Node item(Node list, String step) {
    if (list instanceof Node.Sequence sequence) {
      for (int i = 0; i < sequence.items().size(); i++) {
        Node item = sequence.items().get(i);
        if (ItemPath.of("", i, item).equals(step)) {
          return item;
        }
      }
    }
    return null;
  }
}
