package io.heatshield.config.bind;

import io.heatshield.config.settings.Settings;
import io.heatshield.config.yaml.ItemPath;
import io.heatshield.config.yaml.Node;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/** Sets values in the nodes of a file; the original nodes are not changed. */
public final class Overlay {
  private Overlay() {}

  /**
   * Returns the mapping with a value at a path; missing sections on the path are created. If the
   * path leads through another kind of node, nothing changes: binding reports the fault.
   */
  public static Node.Mapping put(Node.Mapping root, String path, Node value) {
    List<String> steps = ItemPath.steps(path);
    return (Node.Mapping) put(root, Section.of(Settings.class), steps, path, value);
  }

  private static Node put(
      Node.Mapping mapping, Section section, List<String> steps, String path, Node value) {
    Field field = section.field(steps.get(0));
    if (field == null) {
      throw new IllegalArgumentException("path must name a setting: " + path);
    }
    Node.Mapping renamed = underItsKey(mapping, field);
    if (steps.size() == 1) {
      return renamed.with(field.key(), value);
    }
    Node given = renamed.get(field.key());
    if (given == null || given.isNull()) {
      given = field.list() ? field.initial() : Node.Mapping.empty(value.origin());
    }
    List<String> rest = steps.subList(1, steps.size());
    if (field.list()) {
      return given instanceof Node.Sequence sequence
          ? renamed.with(field.key(), putItem(sequence, field, rest, path, value))
          : mapping;
    }
    return given instanceof Node.Mapping child
        ? renamed.with(field.key(), put(child, field.section(), rest, path, value))
        : mapping;
  }

  private static Node putItem(
      Node.Sequence sequence, Field field, List<String> steps, String path, Node value) {
    var items = new ArrayList<Node>(sequence.items());
    for (int i = 0; i < items.size(); i++) {
      if (items.get(i) instanceof Node.Mapping item
          && ItemPath.of("", i, item).equals(steps.get(0))) {
        List<String> rest = steps.subList(1, steps.size());
        items.set(i, put(item, field.section(), rest, path, value));
      }
    }
    return new Node.Sequence(sequence.origin(), items);
  }

  private static Node.Mapping underItsKey(Node.Mapping mapping, Field field) {
    var entries = new LinkedHashMap<>(mapping.entries());
    for (String alias : field.setting().aliases()) {
      Node.Entry other = entries.remove(alias);
      if (other != null) {
        entries.putIfAbsent(field.key(), other);
      }
    }
    return new Node.Mapping(mapping.origin(), entries);
  }
}
