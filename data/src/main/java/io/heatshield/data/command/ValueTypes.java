package io.heatshield.data.command;

import io.heatshield.redisbloom.StructureKind;
import io.heatshield.store.engine.Value;

/** The names of types in TYPE and SCAN. */
public final class ValueTypes {
  private ValueTypes() {}

  public static String name(byte type) {
    return type == Value.STRING
        ? "string"
        : StructureKind.of(type).map(StructureKind::title).orElse("unknown");
  }
}
