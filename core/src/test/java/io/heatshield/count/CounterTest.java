package io.heatshield.count;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

class CounterTest {
  private final Counter counter = new Counter();

  @Test
  void add_oneThread_isInTheSum() {
    counter.add(1);
    counter.add(41);

    assertThat(counter.sum()).isEqualTo(42);
  }

  @Test
  void add_moreThreadsThanCells_losesNone() throws Exception {
    int threads = 40;
    int calls = 20_000;
    var barrier = new CyclicBarrier(threads);
    var started = new ArrayList<Thread>();

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
                  counter.add(1);
                }
              });
      thread.start();
      started.add(thread);
    }
    for (Thread thread : started) {
      thread.join();
    }

    assertThat(counter.sum()).isEqualTo((long) threads * calls);
  }
}
