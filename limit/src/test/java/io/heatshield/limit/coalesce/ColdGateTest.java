package io.heatshield.limit.coalesce;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ColdGateTest {
  private static final long HASH = 0x1234_5678_9abc_def0L;

  private final ColdGate gate = new ColdGate();

  @Test
  void touch_countsTheFirstCalls_andNoMore() {
    for (int i = 1; i <= ColdGate.MOST; i++) {
      assertThat(gate.touch(HASH)).isEqualTo(i);
    }

    assertThat(gate.touch(HASH)).isEqualTo(ColdGate.FULL);
    assertThat(gate.touch(~HASH)).isEqualTo(1);
  }

  @Test
  void halve_makesRoomForHalfAsMany() {
    for (int i = 0; i < 100; i++) {
      gate.touch(HASH);
    }

    gate.halve();

    assertThat(gate.touch(HASH)).isEqualTo(ColdGate.MOST / 2 + 1);
  }

  @Test
  void touch_ofManyKeys_isNeverBelowAKeysOwnCalls() {
    var own = new HashMap<Long, Integer>();
    var random = new SplittableRandom(7);

    for (int i = 0; i < 400_000; i++) {
      long hash = random.nextInt(100_000) * 0x9e3779b97f4a7c15L;
      int calls = own.merge(hash, 1, Integer::sum);

      int told = gate.touch(hash);

      assertThat(told == ColdGate.FULL || told >= calls).isTrue();
    }
  }

  @Test
  void touch_byManyThreads_countsExactlyTheMost() {
    var counted = new AtomicInteger();
    var threads = new CompletableFuture<?>[8];

    for (int i = 0; i < threads.length; i++) {
      threads[i] =
          CompletableFuture.runAsync(
              () -> {
                for (int call = 0; call < 1000; call++) {
                  if (gate.touch(HASH) != ColdGate.FULL) {
                    counted.incrementAndGet();
                  }
                }
              });
    }
    CompletableFuture.allOf(threads).join();

    assertThat(counted).hasValue(ColdGate.MOST);
  }
}
