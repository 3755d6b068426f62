package io.heatshield.limit.fallback;

import io.heatshield.limit.Limit;
import io.heatshield.limit.OnFailure;
import io.heatshield.limit.counter.BackendUnavailableException;
import io.heatshield.limit.counter.CounterBackend;
import io.heatshield.limit.counter.CounterKey;
import io.heatshield.limit.counter.CounterSink;
import io.heatshield.limit.memory.MemoryCounters;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/**
 * Supplies counts by a policy whenever the shared counters fail.
 *
 * <p>It is in front of the coalescer and Redis, so each caller of a batch that fails gets an
 * answer. A hit whose call failed as ambiguous may be counted in Redis and here: then the caller is
 * charged one more than its answer says, never one less.
 *
 * <p>Any thread may call any method.
 */
public final class FallbackCounters implements CounterBackend {
  /*
   * policy     volatile
   * degraded   volatile; read on every answer, written only when it changes, so that its cache line
   *            stays shared. An indicator only: nothing is published through it.
   */
  private final CounterBackend shared;
  private final MemoryCounters local;
  private final Map<OnFailure, LongAdder> answers = new EnumMap<>(OnFailure.class);
  private volatile OnFailure policy;
  private volatile boolean degraded;

  /**
   * Creates the fallback of a backend.
   *
   * @param local counts if the policy is {@link OnFailure#LOCAL}
   */
  public FallbackCounters(CounterBackend shared, MemoryCounters local, OnFailure policy) {
    this.shared = shared;
    this.local = local;
    this.policy = policy;
    for (OnFailure each : OnFailure.values()) {
      answers.put(each, new LongAdder());
    }
  }

  @Override
  public void add(
      CounterKey key, Limit limit, long hits, long clockMillis, CounterSink sink, int slot) {
    var attempt = new Attempt(this, key, limit, hits, clockMillis, sink);
    shared.add(key, limit, hits, clockMillis, attempt, slot);
  }

  /** Returns how many counts a policy supplied. */
  public long degradedAnswers(OnFailure by) {
    return adder(by).sum();
  }

  /** Returns whether the policy supplied the last count. */
  public boolean isDegraded() {
    return degraded;
  }

  public OnFailure policy() {
    return policy;
  }

  /** Changes the policy for later failures. */
  public void policy(OnFailure next) {
    policy = next;
  }

  private void answer(Attempt attempt, int slot) {
    OnFailure by = policy;
    adder(by).increment();
    long most = attempt.limit.requestsPerUnit();
    switch (by) {
      case OPEN -> attempt.sink.degraded(slot, by, most == 0 ? attempt.hits : 0);
      case CLOSED -> attempt.sink.degraded(slot, by, most + Math.max(1, attempt.hits));
      case LOCAL -> countLocally(attempt, slot);
    }
  }

  private void countLocally(Attempt attempt, int slot) {
    long count;
    try {
      count = local.add(attempt.key, attempt.limit, attempt.hits, attempt.clockMillis);
    } catch (BackendUnavailableException e) {
      attempt.sink.failed(slot, e);
      return;
    }
    attempt.sink.degraded(slot, OnFailure.LOCAL, count);
  }

  private LongAdder adder(OnFailure by) {
    return Objects.requireNonNull(answers.get(by));
  }

  private void setDegraded(boolean next) {
    if (degraded != next) {
      degraded = next;
    }
  }

  /** One addition to a shared counter. */
  private record Attempt(
      FallbackCounters counters,
      CounterKey key,
      Limit limit,
      long hits,
      long clockMillis,
      CounterSink sink)
      implements CounterSink {
    @Override
    public void counted(int slot, long count) {
      counters.setDegraded(false);
      sink.counted(slot, count);
    }

    @Override
    public void failed(int slot, BackendUnavailableException reason) {
      counters.setDegraded(true);
      counters.answer(this, slot);
    }
  }
}
