package io.heatshield.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

class TallyTest {
  private final Tally tally = new Tally();

  @Test
  void add_byOneThread_sumsUp() {
    tally.add(1);
    tally.add(41);

    assertThat(tally.sum()).isEqualTo(42);
  }

  @Test
  void add_byMoreThreadsThanCells_losesNone() throws Exception {
    int threads = 40;
    int calls = 20_000;
    var barrier = new CyclicBarrier(threads);
    var running = new ArrayList<Thread>();

    for (int t = 0; t < threads; t++) {
      var thread =
          new Thread(
              () -> {
                try {
                  int unused = barrier.await();
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
                for (int i = 0; i < calls; i++) {
                  tally.add(1);
                }
              });
      thread.start();
      running.add(thread);
    }
    for (Thread thread : running) {
      thread.join();
    }

    assertThat(tally.sum()).isEqualTo((long) threads * calls);
  }
}
