package io.heatshield.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class SmallTest {

  @Test
  void read_afterOverwrites_returnsACopyOfTheLast() {
    byte[] bytes = {1, 2, 3};
    byte[] kept = Small.of(bytes);
    bytes[0] = 9;

    assertThat(Small.read(kept)).containsExactly(1, 2, 3);
    assertThat(Small.overwrite(kept, new byte[] {4, 5, 6})).isTrue();
    assertThat(Small.overwrite(kept, new byte[] {7, 8})).isFalse();
    assertThat(Small.overwrite(kept, new byte[] {7, 8, 9, 10})).isFalse();

    assertThat(Small.read(kept)).containsExactly(4, 5, 6);
    assertThat(Small.read(Small.of(new byte[0]))).isEmpty();
  }

  @Test
  void read_whileAnotherOverwrites_neverSeesAPartOfBoth() {
    byte[] kept = Small.of(new byte[Small.MOST_BYTES]);
    var stop = new AtomicBoolean();
    var writer =
        CompletableFuture.runAsync(
            () -> {
              byte[] next = new byte[Small.MOST_BYTES];
              for (int i = 0; !stop.get(); i++) {
                Arrays.fill(next, (byte) i);
                Small.overwrite(kept, next);
              }
            });

    int mixed = 0;
    for (int i = 0; i < 200_000; i++) {
      byte[] seen = Small.read(kept);
      for (byte b : seen) {
        mixed += b == seen[0] ? 0 : 1;
      }
    }
    stop.set(true);
    writer.join();

    assertThat(mixed).isZero();
  }
}
