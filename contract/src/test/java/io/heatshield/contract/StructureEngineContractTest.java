package io.heatshield.contract;

import io.heatshield.store.engine.Engine;
import io.heatshield.store.engine.StructureEngine;
import io.heatshield.store.memory.MemoryEngine;

/** The contract of engines, for a decorator. */
class StructureEngineContractTest extends EngineContract {
  @Override
  protected Engine engine() {
    return new StructureEngine(new MemoryEngine(64 << 20), (type, form) -> null, 1 << 20);
  }
}
