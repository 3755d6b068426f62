package io.heatshield.bench.store;

import java.time.Duration;
import java.util.Arrays;
import java.util.function.Supplier;

/** Calls in a closed loop by some threads for some time. */
final class Load {
  private static final int FIRST_SAMPLES = 1 << 12;
  private static final int MOST_SAMPLES = 1 << 20;
  private static final int EVERY = 8;

  private Load() {}

  /**
   * The result of a load.
   *
   * @param perSecond calls per second
   * @param p99Micros the 99th percentile of one in eight calls
   */
  record Result(double perSecond, double p99Micros) {}

  /** Runs the work that the supplier creates for each thread. */
  static Result run(int threads, Duration time, Supplier<Runnable> work) {
    long nanos = time.toNanos();
    var calls = new long[threads];
    var samples = new long[threads][];
    var running = new Thread[threads];
    for (int i = 0; i < threads; i++) {
      int me = i;
      running[i] =
          new Thread(
              () -> {
                Runnable call = work.get();
                var taken = new long[FIRST_SAMPLES];
                int count = 0;
                long start = System.nanoTime();
                long done = 0;
                for (long now = start; now - start < nanos; done += EVERY) {
                  call.run();
                  long after = System.nanoTime();
                  if (count == taken.length && count < MOST_SAMPLES) {
                    taken = Arrays.copyOf(taken, 2 * count);
                  }
                  if (count < taken.length) {
                    taken[count++] = after - now;
                  }
                  for (int rest = 1; rest < EVERY; rest++) {
                    call.run();
                  }
                  now = System.nanoTime();
                }
                calls[me] = done;
                samples[me] = Arrays.copyOf(taken, count);
              });
      running[i].start();
    }
    for (Thread thread : running) {
      join(thread);
    }
    long[] all = Arrays.stream(samples).flatMapToLong(Arrays::stream).sorted().toArray();
    double p99 = all.length == 0 ? 0 : all[(int) (all.length * 0.99)] / 1000.0;
    return new Result(Arrays.stream(calls).sum() * 1e9 / nanos, p99);
  }

  static double median(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
