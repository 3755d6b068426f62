package io.heatshield.contract;

import io.heatshield.store.engine.Engine;
import io.heatshield.store.memory.MemoryEngine;

/** The contract of engines, for the one in memory. */
class MemoryEngineContractTest extends EngineContract {
  @Override
  protected Engine engine() {
    return new MemoryEngine(64 << 20);
  }
}
