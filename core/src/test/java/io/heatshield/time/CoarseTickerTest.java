package io.heatshield.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.time.FakeTicker;
import io.heatshield.testkit.time.TickerContract;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class CoarseTickerTest extends TickerContract {

  @Override
  protected LongSupplier ticker() {
    var ticker = new CoarseTicker(Ticker.system());
    return () -> {
      ticker.refresh();
      return ticker.nanos();
    };
  }

  @Test
  void nanos_noRefresh_repeatsTheLastReading() {
    var source = new FakeTicker();
    var ticker = new CoarseTicker(source::nanos);
    long first = ticker.nanos();

    source.advance(Duration.ofMinutes(2));

    assertThat(ticker.nanos()).isEqualTo(first);
    assertThat(ticker.refresh() - first).isEqualTo(Duration.ofMinutes(2).toNanos());
    assertThat(ticker.nanos()).isEqualTo(source.nanos());
  }

  @Test
  void refresh_olderReading_keepsTheLastOne() {
    var reading = new AtomicLong(100);
    var ticker = new CoarseTicker(reading::get);

    reading.set(90);

    assertThat(ticker.refresh()).isEqualTo(100);
    assertThat(ticker.nanos()).isEqualTo(100);
  }
}
