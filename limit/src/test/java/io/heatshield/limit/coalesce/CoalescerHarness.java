package io.heatshield.limit.coalesce;

import io.heatshield.action.Action;
import io.heatshield.action.Mode;
import io.heatshield.action.Savings;
import io.heatshield.limit.Algorithm;
import io.heatshield.limit.DescriptorEntry;
import io.heatshield.limit.Limit;
import io.heatshield.limit.LimitUnit;
import io.heatshield.limit.counter.BackendUnavailableException;
import io.heatshield.limit.counter.CounterBackend;
import io.heatshield.limit.counter.CounterKey;
import io.heatshield.limit.counter.CounterSink;
import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A coalescer on a fake ticker, in front of counters that answer when the test completes calls. */
final class CoalescerHarness implements CounterBackend, BatchListener {
  static final long NOW = 1_700_000_040_000L;
  static final Limit LIMIT = new Limit(100, LimitUnit.SECOND, Algorithm.FIXED_WINDOW);
  static final Duration WINDOW = Duration.ofNanos(300_000);

  final FakeTicker ticker = new FakeTicker();
  final Action action;
  final CoalescingCounters coalescer;
  final List<BackendCall> asked = new ArrayList<>();
  final List<Integer> batches = new ArrayList<>();
  final List<Long> sentAt = new ArrayList<>();
  final List<Long> waits = new ArrayList<>();
  final List<Long> late = new ArrayList<>();
  private final Map<Long, Long> counts = new HashMap<>();
  @Nullable ManualLoop loop;
  @Nullable RuntimeException thrown;
  boolean failing;
  boolean throwing;

  CoalescerHarness(Mode mode, long threshold, int maxKeys, int maxBatch) {
    action = new Savings().action("coalesce", "limits", mode);
    coalescer =
        new CoalescingCounters(
            this,
            action,
            new CoalesceSettings(
                64 << 10, 4, threshold, maxKeys, WINDOW, maxBatch, Duration.ofSeconds(10)),
            this,
            ticker::nanos,
            () -> loop);
  }

  /** Returns a harness in which every key is hot from its first call on. */
  static CoalescerHarness hot() {
    return hot(8);
  }

  /** Returns a harness with hot keys and another batch size. */
  static CoalescerHarness hot(int maxBatch) {
    return new CoalescerHarness(Mode.ENFORCE, 1, 10, maxBatch);
  }

  static CounterKey key(String text) {
    return CounterKey.of("d", List.of(new DescriptorEntry("k", text)), LIMIT);
  }

  /** Calls for the key "k". */
  CompletableFuture<Long> ask(long hits) {
    return ask("k", hits, NOW);
  }

  CompletableFuture<Long> ask(String key, long hits, long clockMillis) {
    return ask(key(key), LIMIT, hits, clockMillis);
  }

  /** Calls for one hit of the key "k". */
  void ask(CounterSink sink) {
    coalescer.add(key("k"), LIMIT, 1, NOW, sink, 3);
  }

  CompletableFuture<Long> ask(CounterKey key, Limit limit, long hits, long clockMillis) {
    var result = new CompletableFuture<Long>();
    coalescer.add(key, limit, hits, clockMillis, new FutureSink(result), 3);
    return result;
  }

  /** Advances the time and runs the timer. */
  void pass(Duration time) {
    ticker.advance(time);
    coalescer.timer.runDue();
  }

  /** Completes the oldest call with its count. */
  void land() {
    BackendCall first = asked.remove(0);
    long count = counts.merge(first.window(), first.hits(), Long::sum);
    first.sink().counted(first.slot(), count);
  }

  void landAll() {
    while (!asked.isEmpty()) {
      land();
    }
  }

  /** Fails the oldest call. */
  void fail() {
    BackendCall first = asked.remove(0);
    first.sink().failed(first.slot(), new BackendUnavailableException("lost"));
  }

  /** Sets the count of the current window. */
  void base(long count) {
    counts.put(LIMIT.unit().window(NOW), count);
  }

  List<Long> sums() {
    return asked.stream().map(BackendCall::hits).toList();
  }

  @Override
  public void add(
      CounterKey key, Limit limit, long hits, long clockMillis, CounterSink sink, int slot) {
    if (thrown != null) {
      throw thrown;
    }
    if (failing) {
      sink.failed(slot, new BackendUnavailableException("lost"));
      return;
    }
    if (throwing) {
      sink.counted(slot, counts.merge(limit.unit().window(clockMillis), hits, Long::sum));
      throw new IllegalStateException("completed, and then broken");
    }
    asked.add(new BackendCall(key, hits, limit.unit().window(clockMillis), sink, slot));
  }

  @Override
  public void addLate(
      CounterKey key,
      Limit limit,
      long hits,
      long clockMillis,
      long lateNanos,
      CounterSink sink,
      int slot) {
    late.add(lateNanos);
    add(key, limit, hits, clockMillis, sink, slot);
  }

  @Override
  public void sent(int callers) {
    batches.add(callers);
    sentAt.add(ticker.nanos());
  }

  @Override
  public void waited(long nanos) {
    waits.add(nanos);
  }

  record BackendCall(CounterKey key, long hits, long window, CounterSink sink, int slot) {}

  /** A sink that fails the test if it is completed twice. */
  record FutureSink(CompletableFuture<Long> count) implements CounterSink {
    @Override
    public void counted(int slot, long value) {
      if (slot != 3 || !(count.complete(value) || count.isCancelled())) {
        throw new IllegalStateException("completed twice, or for another slot");
      }
    }

    @Override
    public void failed(int slot, BackendUnavailableException reason) {
      if (slot != 3 || !(count.completeExceptionally(reason) || count.isCancelled())) {
        throw new IllegalStateException("completed twice, or for another slot");
      }
    }
  }
}
