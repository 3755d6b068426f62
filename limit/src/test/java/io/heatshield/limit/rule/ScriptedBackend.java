package io.heatshield.limit.rule;

import io.heatshield.limit.Limit;
import io.heatshield.limit.OnFailure;
import io.heatshield.limit.counter.BackendUnavailableException;
import io.heatshield.limit.counter.CounterBackend;
import io.heatshield.limit.counter.CounterKey;
import io.heatshield.limit.counter.CounterSink;
import java.util.ArrayList;
import java.util.List;

/** A backend that records every call and answers when the test completes it. */
final class ScriptedBackend implements CounterBackend {
  final List<Asked> asked = new ArrayList<>();

  @Override
  public void add(
      CounterKey key, Limit limit, long hits, long clockMillis, CounterSink sink, int slot) {
    asked.add(new Asked(key, limit, hits, sink, slot));
  }

  /** Completes the oldest calls, one for each count. */
  void complete(long... counts) {
    for (long count : counts) {
      Asked next = asked.remove(0);
      next.sink.counted(next.slot, count);
    }
  }

  /** Completes the oldest call with the count of a policy. */
  void degrade(OnFailure policy, long count) {
    Asked next = asked.remove(0);
    next.sink.degraded(next.slot, policy, count);
  }

  /** Fails the oldest call. */
  void fail(String sentence) {
    Asked next = asked.remove(0);
    next.sink.failed(next.slot, new BackendUnavailableException(sentence));
  }

  record Asked(CounterKey key, Limit limit, long hits, CounterSink sink, int slot) {}
}
