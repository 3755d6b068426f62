package io.heatshield.limit.limiter;

import io.heatshield.limit.Limit;
import io.heatshield.limit.OnFailure;
import io.heatshield.limit.counter.BackendUnavailableException;
import io.heatshield.limit.counter.CounterBackend;
import io.heatshield.limit.counter.CounterKey;
import io.heatshield.limit.counter.CounterSink;
import java.util.ArrayList;
import java.util.List;

/** A backend that keeps every question and answers when it is told to. */
final class ScriptedBackend implements CounterBackend {
  final List<Asked> asked = new ArrayList<>();

  @Override
  public void add(
      CounterKey key, Limit limit, long hits, long clockMillis, CounterSink sink, int slot) {
    asked.add(new Asked(key, limit, hits, sink, slot));
  }

  /** Answers the oldest questions, one for each count. */
  void tell(long... counts) {
    for (long count : counts) {
      Asked next = asked.remove(0);
      next.sink.counted(next.slot, count);
    }
  }

  /** Answers the oldest question as a policy does. */
  void degrade(OnFailure policy, long count) {
    Asked next = asked.remove(0);
    next.sink.degraded(next.slot, policy, count);
  }

  /** Fails the oldest question. */
  void fail(String sentence) {
    Asked next = asked.remove(0);
    next.sink.failed(next.slot, new BackendUnavailableException(sentence));
  }

  record Asked(CounterKey key, Limit limit, long hits, CounterSink sink, int slot) {}
}
