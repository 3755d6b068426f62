package io.heatshield.data.command;

import io.heatshield.redisbloom.StructureKind;
import io.heatshield.store.engine.Value;
import org.jspecify.annotations.Nullable;

/** The names that TYPE and SCAN have for what keys hold. */
final class ValueTypes {
  private ValueTypes() {}

  static String name(@Nullable Value value) {
    return value == null ? "none" : name(value.type());
  }

  static String name(byte type) {
    return type == Value.STRING
        ? "string"
        : StructureKind.of(type).map(StructureKind::title).orElse("unknown");
  }
}
