package io.heatshield.time;

import io.heatshield.testkit.time.TickerContract;
import java.util.function.LongSupplier;

class TickerTest extends TickerContract {

  @Override
  protected LongSupplier ticker() {
    return Ticker.system()::nanos;
  }
}
