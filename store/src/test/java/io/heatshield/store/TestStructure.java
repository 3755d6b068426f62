package io.heatshield.store;

import static io.heatshield.store.GuardedSubject.now;

import io.heatshield.redisbloom.Structure;
import io.heatshield.store.engine.Engine;
import io.heatshield.store.engine.StructureEngine;
import io.heatshield.store.engine.StructureValues;
import io.heatshield.store.engine.Value;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A structure of ten bytes that are all the same. */
final class TestStructure implements Structure {

  /** Returns an engine that stores test structures over another. */
  static StructureEngine engine(Engine data) {
    return new StructureEngine(data, (type, form) -> new TestStructure(), 1 << 20);
  }

  /** Puts a structure and changes it, so that it is unsaved. */
  static void putAndChange(GuardedStore store, byte[] key) {
    var structure = new TestStructure();
    put(store, key, before -> StructureValues.of((byte) 7, structure));
    put(store, key, before -> StructureValues.with(Objects.requireNonNull(before), structure));
  }

  private static void put(GuardedStore store, byte[] key, Function<@Nullable Value, Value> change) {
    now(
        store.update(
            List.of(key),
            view -> {
              view.put(key, change.apply(view.get(key)));
              return true;
            }));
  }

  @Override
  public long bytes() {
    return 10;
  }

  @Override
  public byte[] toBytes() {
    return new byte[10];
  }

  @Override
  public Structure copy() {
    return this;
  }
}
