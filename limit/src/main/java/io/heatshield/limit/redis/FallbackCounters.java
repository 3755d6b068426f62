package io.heatshield.limit.redis;

import io.heatshield.limit.Limit;
import io.heatshield.limit.OnFailure;
import io.heatshield.limit.counter.BackendUnavailableException;
import io.heatshield.limit.counter.CounterBackend;
import io.heatshield.limit.counter.CounterKey;
import io.heatshield.limit.counter.CounterSink;
import io.heatshield.limit.counter.LocalCounters;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/**
 * Answers for another backend whenever that fails, by one policy.
 *
 * <p>It stands in front of everything on the way to Redis, so that one batch that fails is answered
 * for each of its callers. A count that failed as ambiguous may be in Redis and here: the caller
 * then uses up one more than he was told, never one less.
 *
 * <p>Any thread may call any method.
 */
public final class FallbackCounters implements CounterBackend {
  /*
   * degraded   read: volatile, on every answer   written only when it changes, so its line stays shared
   *
   * It is a light on a panel, nothing is published through it.
   *
   * policy     read: volatile, on a failure   written: volatile, when it is changed
   */
  private final CounterBackend shared;
  private final LocalCounters local;
  private final Map<OnFailure, LongAdder> answers = new EnumMap<>(OnFailure.class);
  private volatile OnFailure policy;
  private volatile boolean degraded;

  /**
   * Creates the guard of a backend.
   *
   * @param local takes over if the policy says so
   */
  public FallbackCounters(CounterBackend shared, LocalCounters local, OnFailure policy) {
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
    shared.add(
        key, limit, hits, clockMillis, new Attempt(key, limit, hits, clockMillis, sink), slot);
  }

  /** Returns how many counts a policy answered. */
  public long degradedAnswers(OnFailure by) {
    return adder(by).sum();
  }

  /** Returns whether the last answer was the policy's. */
  public boolean isDegraded() {
    return degraded;
  }

  /** Returns the policy. */
  public OnFailure policy() {
    return policy;
  }

  /** Takes another policy, for failures to come. */
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
      case LOCAL -> countHere(attempt, slot);
    }
  }

  private void countHere(Attempt attempt, int slot) {
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

  private void become(boolean next) {
    if (degraded != next) {
      degraded = next;
    }
  }

  /** One count that was asked of the shared backend. */
  private final class Attempt implements CounterSink {
    private final CounterKey key;
    private final Limit limit;
    private final long hits;
    private final long clockMillis;
    private final CounterSink sink;

    Attempt(CounterKey key, Limit limit, long hits, long clockMillis, CounterSink sink) {
      this.key = key;
      this.limit = limit;
      this.hits = hits;
      this.clockMillis = clockMillis;
      this.sink = sink;
    }

    @Override
    public void counted(int slot, long count) {
      become(false);
      sink.counted(slot, count);
    }

    @Override
    public void failed(int slot, BackendUnavailableException reason) {
      become(true);
      answer(this, slot);
    }
  }
}
