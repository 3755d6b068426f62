package io.heatshield.data.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.config.settings.LogSettings;
import io.heatshield.runtime.log.Logging;
import io.heatshield.store.GuardedStore;
import io.heatshield.store.StoreOptions;
import io.heatshield.store.memory.MemoryEngine;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages that a store logs through {@code System.Logger} reach the log of the process. */
class StoreLogTest {
  private final PrintStream before = System.err;
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  @BeforeEach
  void captureTheLog() {
    System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    Logging.start();
    Logging.apply(new LogSettings(LogSettings.Level.INFO, LogSettings.Format.JSON));
  }

  @AfterEach
  void releaseTheLog() {
    System.setErr(before);
    Logging.apply(new LogSettings(LogSettings.Level.INFO, LogSettings.Format.AUTO));
  }

  @Test
  void maintain_listenerThrowsAHostileText_isOneEscapedLineOfTheLog() {
    GuardedStore store =
        GuardedStore.over(new MemoryEngine(1 << 20))
            .options(StoreOptions.of("users").unguarded().maxMemory(1 << 20))
            .onPressure(
                pressure -> {
                  throw new IllegalStateException("why\r\n{0} forged");
                })
            .withoutUpkeep()
            .build();
    store.put(new byte[] {1}, new byte[900_000]).toCompletableFuture().join();

    store.maintain();
    store.close();

    assertThat(written.toString(StandardCharsets.UTF_8).lines())
        .filteredOn(line -> line.contains("forged"))
        .singleElement()
        .asString()
        .startsWith("{\"time\":")
        .contains("\"level\":\"WARN\"", "\"logger\":\"store.StoreMemory\"")
        .contains("memory listener of store users threw: ")
        .contains("why\\\\u000d\\\\u000a{0} forged");
  }
}
