package io.heatshield.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/** Puts values over those that a file gives, leaving the original as it is. */
final class Overlay {
  private Overlay() {}

  /**
   * Returns the mapping with a value at a path; what the path leads through is made where it is not
   * given. Where something else stands in the way, nothing changes: binding reports that.
   */
  static Node.Mapping put(Node.Mapping root, String path, Node value) {
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
    Node inner = given == null || isNull(given) ? Node.Mapping.empty(value.origin()) : given;
    List<String> rest = steps.subList(1, steps.size());
    if (field.isSectionList()) {
      Node list = given == null || isNull(given) ? field.initial() : given;
      return list instanceof Node.Sequence sequence
          ? renamed.with(field.key(), putItem(sequence, field, rest, path, value))
          : mapping;
    }
    return inner instanceof Node.Mapping child
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

  private static boolean isNull(Node node) {
    return node instanceof Node.Scalar scalar && scalar.isNull(scalar.text());
  }
}
