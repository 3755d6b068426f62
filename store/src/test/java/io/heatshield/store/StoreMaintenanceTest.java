package io.heatshield.store;

import static io.heatshield.store.GuardedSubject.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.action.Mode;
import io.heatshield.store.engine.Engine;
import io.heatshield.store.engine.StoreException;
import io.heatshield.testkit.time.FakeTicker;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreMaintenanceTest {
  private static final byte[] KEY = bytes("k");
  private final FakeTicker ticker = new FakeTicker();

  private GuardedStore over(Engine engine, StoreOptions options) {
    return GuardedStore.over(engine).options(options).ticker(ticker::nanos).withoutUpkeep().build();
  }

  private static StoreException damage() {
    return new StoreException(StoreException.Reason.UNREACHED, "a damaged block");
  }

  @Test
  void maintain_whenExpiryFails_stillSavesAndRebuildsAndFails() {
    TestEngine data = TestEngine.local();
    GuardedStore store =
        over(
            TestStructure.engine(data),
            StoreOptions.of("s").with(StoreOptions.Filter.of(Mode.ENFORCE, 1000)));
    TestStructure.putAndChange(store, KEY);
    long written = data.sequence();
    data.sweepFailure = damage();
    ticker.advance(Duration.ofSeconds(2));

    assertThatThrownBy(store::maintain).hasMessageContaining("a damaged block");

    assertThat(data.sequence()).isEqualTo(written + 1);
    assertThat(store.filter().orElseThrow().complete()).isTrue();
  }

  @Test
  void close_whenAStructureCannotBeSavedAtOnce_closesAndLeavesTheFilterToARebuild(
      @TempDir Path folder) {
    TestEngine data = TestEngine.local();
    GuardedStore store =
        over(
            TestStructure.engine(data),
            StoreOptions.of("s")
                .with(StoreOptions.Filter.of(Mode.ENFORCE, 1000).keptIn(folder.resolve("f"))));
    store.maintain();
    TestStructure.putAndChange(store, KEY);
    data.failsOnce = true;
    data.failure = damage();

    assertThatCode(store::close).doesNotThrowAnyException();

    assertThat(folder.resolve("f")).doesNotExist();
  }
}
