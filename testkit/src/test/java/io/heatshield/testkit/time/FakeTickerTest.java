package io.heatshield.testkit.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class FakeTickerTest extends TickerContract {

  @Override
  protected LongSupplier ticker() {
    return new FakeTicker()::nanos;
  }

  @Test
  void advance_acrossTheOverflow_keepsDifferences() {
    var ticker = new FakeTicker();
    long before = ticker.nanos();

    ticker.advance(Duration.ofMinutes(2));

    assertThat(ticker.nanos()).isNegative();
    assertThat(ticker.nanos() - before).isEqualTo(Duration.ofMinutes(2).toNanos());
  }

  @Test
  void advance_backwards_isRejected() {
    var ticker = new FakeTicker();

    assertThatIllegalArgumentException().isThrownBy(() -> ticker.advanceNanos(-1));
  }
}
