package io.heatshield.detect;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Threads that each count in one stripe of a detector, if they do not overlap. */
final class StripeWorkers implements AutoCloseable {
  private final List<ExecutorService> workers = new ArrayList<>();

  /** Starts one thread for each stripe: a thread first tries the stripe of its id. */
  StripeWorkers(int stripes) throws Exception {
    while (workers.size() < stripes) {
      ExecutorService worker = Executors.newSingleThreadExecutor();
      long id = worker.submit(() -> Thread.currentThread().getId()).get();
      if (id % stripes == workers.size()) {
        workers.add(worker);
      } else {
        worker.shutdown();
      }
    }
  }

  /** Touches a key in a stripe. */
  Verdict touch(int stripe, HotKeyDetector detector, String key, long weight) throws Exception {
    return workers.get(stripe).submit(() -> detector.touch(key, weight)).get();
  }

  @Override
  public void close() {
    workers.forEach(ExecutorService::shutdownNow);
  }
}
