package io.heatshield.store.engine;

import io.heatshield.redisbloom.Structure;
import org.jspecify.annotations.Nullable;

/**
 * Access to values that are a {@link Structure} in memory instead of bytes. Only engines that keep
 * values as objects, and the {@link StructureEngine} before all others, see such values.
 */
public final class StructureValues {
  private StructureValues() {}

  /** Returns a structure that does not expire. */
  public static Value of(byte type, Structure structure) {
    return new Value(type, Value.NO_BYTES, Value.NEVER, structure, structure.bytes());
  }

  /** Returns the structure of a value, or null if it is bytes. */
  public static @Nullable Structure structure(Value value) {
    return value.structure();
  }

  /** Returns a structure, perhaps the same one, in its current size with a value's other parts. */
  public static Value with(Value value, Structure structure) {
    return new Value(value.type(), value.bytes(), value.expiresAt(), structure, structure.bytes());
  }

  /** Returns whether two values have the identical structure and the same expiry. */
  public static boolean isSame(Value one, @Nullable Value other) {
    return one.isSame(other);
  }
}
