package io.heatshield.limit.counter;

import io.heatshield.limit.Limit;

/** A backend in this process, which answers at once on the caller's thread. */
public interface LocalCounters extends CounterBackend {

  /**
   * Adds hits to one counter and returns its count, as {@link CounterBackend#add} tells it.
   *
   * @throws BackendUnavailableException if there is no room for one more counter
   */
  long add(CounterKey key, Limit limit, long hits, long clockMillis);

  @Override
  default void add(
      CounterKey key, Limit limit, long hits, long clockMillis, CounterSink sink, int slot) {
    long count;
    try {
      count = add(key, limit, hits, clockMillis);
    } catch (BackendUnavailableException e) {
      sink.failed(slot, e);
      return;
    }
    sink.counted(slot, count);
  }
}
