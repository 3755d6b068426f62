package io.heatshield.contract;

import io.heatshield.store.engine.Engine;

/** The contract of engines, for one that has no capability. */
class MapEngineContractTest extends EngineContract {
  @Override
  protected Engine engine() {
    return new MapEngine();
  }
}
