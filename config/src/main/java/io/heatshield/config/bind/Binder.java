package io.heatshield.config.bind;

import io.heatshield.config.settings.Settings;
import io.heatshield.config.value.InvalidValueException;
import io.heatshield.config.value.NearestName;
import io.heatshield.config.yaml.Expansion;
import io.heatshield.config.yaml.Faults;
import io.heatshield.config.yaml.ItemPath;
import io.heatshield.config.yaml.Node;
import io.heatshield.config.yaml.Origin;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Binds nodes to settings and collects all faults.
 *
 * <p>One instance binds one configuration.
 */
public final class Binder {
  /*
   * An invalid setting is replaced by its default and recorded as broken. So binding always
   * produces complete settings, and rules about several settings can still be checked if those
   * settings are valid. Settings with a fault are never returned to users of the module.
   */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}");

  private final Expansion expansion;
  private final Faults faults;
  private final Map<String, Origin> origins = new LinkedHashMap<>();
  private final Map<String, Leaf> leaves = new LinkedHashMap<>();
  private final Map<String, List<String>> items = new LinkedHashMap<>();
  private final Set<String> broken = new HashSet<>();

  public Binder(Expansion expansion, Faults faults) {
    this.expansion = expansion;
    this.faults = faults;
  }

  public Settings bind(Node.Mapping root) {
    return (Settings) section(Section.of(Settings.class), root, "");
  }

  /** Returns all bound values by path. */
  public Map<String, Leaf> leaves() {
    return leaves;
  }

  /** Returns the paths of a list's items. */
  public List<String> itemsOf(String list) {
    return items.getOrDefault(list, List.of());
  }

  /** Adds a fault about settings that are valid individually; ignored if one of them is not. */
  public void fault(String path, String message, @Nullable String hint, String... others) {
    if (!broken.contains(path) && Collections.disjoint(broken, List.of(others))) {
      faults.add(originOf(path), path, message, hint);
    }
  }

  /** Returns where a path was written, or else the section that contains it. */
  private Origin originOf(String path) {
    String at = path;
    while (!at.isEmpty()) {
      Origin origin = origins.get(at);
      if (origin != null && origin.kind() != Origin.Kind.DEFAULT) {
        return origin;
      }
      at = at.substring(0, Math.max(0, Math.max(at.lastIndexOf('.'), at.lastIndexOf('['))));
    }
    return Origin.DEFAULT;
  }

  private Record section(Section section, Node.Mapping mapping, String path) {
    mapping.entries().forEach((key, entry) -> refuseUnknown(section, path, key, entry));
    var values = new ArrayList<@Nullable Object>();
    for (Field field : section.fields()) {
      String at = path.isEmpty() ? field.key() : path + "." + field.key();
      Node given = given(field, mapping, at);
      if (given == null && field.isRequired()) {
        faults.add(mapping.origin(), at, "is missing and has no default", null);
        values.add(fallback(field, at, mapping.origin()));
      } else {
        values.add(value(field, given == null ? field.initial() : given, at));
      }
    }
    return section.create(values);
  }

  private void refuseUnknown(Section section, String path, String key, Node.Entry entry) {
    if (section.field(key) == null) {
      String at = path.isEmpty() ? "" : path + ".";
      String hint = faults.isFull() ? null : NearestName.hint(key, section.keys());
      faults.add(entry.keyOrigin(), at + Faults.shownKey(key), "unknown key", hint);
    }
  }

  private @Nullable Node given(Field field, Node.Mapping mapping, String path) {
    Node given = mapping.get(field.key());
    for (String alias : field.setting().aliases()) {
      Node.Entry other = mapping.entries().get(alias);
      if (other != null && given != null) {
        String message = "is given twice: " + alias + " is another name of " + field.key();
        faults.add(other.keyOrigin(), path, message, "keep one of them");
      } else if (other != null) {
        given = other.value();
      }
    }
    return given;
  }

  private @Nullable Object value(Field field, Node node, String path) {
    origins.put(path, node.origin());
    String text = null;
    if (node instanceof Node.Scalar scalar) {
      text = expanded(scalar, path);
      if (text == null) {
        return fallback(field, path, node.origin());
      }
      if (scalar.isNull(text)) {
        return absent(field, node, path);
      }
    }
    if (field.list()) {
      return list(field, node, path);
    }
    if (field.isSection()) {
      if (node instanceof Node.Mapping mapping) {
        return section(field.section(), mapping, path);
      }
    } else if (text != null && node instanceof Node.Scalar scalar) {
      return single(field, scalar, text, path);
    }
    return wrongShape(field, node, path);
  }

  private @Nullable Object absent(Field field, Node node, String path) {
    if (field.nullable()) {
      return leaf(field, path, null, node.origin());
    }
    if (field.list()) {
      return value(field, field.initial(), path);
    }
    if (field.isSection()) {
      return section(field.section(), Node.Mapping.empty(node.origin()), path);
    }
    faults.add(node.origin(), path, "needs a value: a " + field.expected(), null);
    return fallback(field, path, node.origin());
  }

  private @Nullable Object single(Field field, Node.Scalar scalar, String text, String path) {
    Object value = read(field, scalar, text, path);
    return value == null
        ? fallback(field, path, scalar.origin())
        : leaf(field, path, value, scalar.origin());
  }

  /** Returns the value of one text, or null with a fault added. */
  private @Nullable Object read(Field field, Node.Scalar scalar, String text, String path) {
    try {
      Object value = Kind.of(field.type()).read(text);
      String problem = field.list() ? null : Bounds.broken(field, value);
      if (field.setting().name() && !NAME.matcher(text).matches()) {
        problem = "must be a name of at most 64 letters, digits, dots, dashes and underscores";
      }
      if (problem == null) {
        return value;
      }
      throw new InvalidValueException(problem);
    } catch (InvalidValueException e) {
      // Messages show the text of the file, never the value of a variable, and nothing of a secret.
      boolean show = !field.setting().secret() && e.problem().startsWith("must ");
      String but = show ? ", but is " + Faults.shown(scalar.text()) : "";
      faults.add(scalar.origin(), path, e.problem() + but, e.hint());
      return null;
    }
  }

  private @Nullable Object list(Field field, Node node, String path) {
    if (!(node instanceof Node.Sequence sequence)) {
      return wrongShape(field, node, path);
    }
    String problem = Bounds.broken(field, sequence.items());
    if (problem != null) {
      faults.add(node.origin(), path, problem, null);
      return fallback(field, path, node.origin());
    }
    return field.isSection() ? sections(field, sequence, path) : singles(field, sequence, path);
  }

  private List<Object> sections(Field field, Node.Sequence sequence, String path) {
    var values = new ArrayList<Object>();
    var paths = new ArrayList<String>();
    for (int i = 0; i < sequence.items().size(); i++) {
      Node item = sequence.items().get(i);
      String at = ItemPath.of(path, i, item);
      if (paths.contains(at)) {
        faults.add(item.origin(), at, "this name is taken by another item of the list", null);
        at = ItemPath.of(path, i);
      }
      if (item instanceof Node.Mapping mapping) {
        paths.add(at);
        origins.put(at, item.origin());
        values.add(section(field.section(), mapping, at));
      } else {
        faults.add(item.origin(), at, "must be a section of keys and values", null);
      }
    }
    items.put(path, paths);
    return List.copyOf(values);
  }

  private @Nullable Object singles(Field field, Node.Sequence sequence, String path) {
    var values = new ArrayList<Object>();
    boolean sound = true;
    for (int i = 0; i < sequence.items().size(); i++) {
      Node item = sequence.items().get(i);
      String at = ItemPath.of(path, i);
      Object value = null;
      if (item instanceof Node.Scalar scalar) {
        String text = expanded(scalar, at);
        value = text == null ? null : read(field, scalar, text, at);
      } else {
        faults.add(item.origin(), at, "must be a single value", null);
      }
      if (value == null) {
        sound = false;
      } else {
        values.add(value);
      }
    }
    return sound
        ? leaf(field, path, List.copyOf(values), sequence.origin())
        : fallback(field, path, sequence.origin());
  }

  private @Nullable Object wrongShape(Field field, Node node, String path) {
    String found =
        node instanceof Node.Mapping
            ? "a section"
            : node instanceof Node.Sequence ? "a list" : "a single value";
    faults.add(node.origin(), path, "must be a " + field.expected() + ", but is " + found, null);
    return fallback(field, path, node.origin());
  }

  /** Returns the text with variables expanded, or null with a fault added. */
  private @Nullable String expanded(Node.Scalar scalar, String path) {
    try {
      boolean fromFile = scalar.origin().kind() == Origin.Kind.FILE;
      return fromFile ? expansion.expand(scalar.text()) : scalar.text();
    } catch (InvalidValueException e) {
      faults.add(scalar.origin(), path, e);
      return null;
    }
  }

  private @Nullable Object leaf(Field field, String path, @Nullable Object value, Origin origin) {
    leaves.put(path, new Leaf(path, field, value, origin));
    return value;
  }

  /** Returns a placeholder for a broken setting while other faults are collected. */
  private @Nullable Object fallback(Field field, String path, Origin origin) {
    broken.add(path);
    Object value = value(field, field.initial(), path);
    origins.put(path, origin);
    return value;
  }
}
