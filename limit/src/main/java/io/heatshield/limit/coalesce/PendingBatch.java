package io.heatshield.limit.coalesce;

import io.heatshield.limit.Limit;
import io.heatshield.limit.counter.BackendUnavailableException;
import io.heatshield.limit.counter.CounterKey;
import io.heatshield.limit.counter.CounterSink;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls for one counter and one rate-limit window that are sent as one addition.
 *
 * <p>From the count that the backend returns, each call's own count follows in order of arrival:
 * {@code count - hits of the batch + hits up to and including the call}.
 */
final class PendingBatch implements CounterSink {
  /*
   * calls, hits   appended to under the lock of the Batcher until it takes the batch to send it;
   *               never changed afterwards
   * sentAt        written under that lock when the batch is taken
   * completed     read and written under that lock
   *
   * Whoever completes the batch takes the lock first, so it sees all calls; a loop gets the batch
   * from that thread.
   */
  final long window;
  long sentAt;
  boolean completed;
  private final Batcher batcher;
  private final BatchContext context;
  private final Limit limit;
  private final long clockMillis;
  private final List<Call> calls = new ArrayList<>();
  private long hits;

  PendingBatch(Batcher batcher, BatchContext context, Limit limit, long clockMillis) {
    this.batcher = batcher;
    this.context = context;
    this.limit = limit;
    this.clockMillis = clockMillis;
    this.window = limit.unit().window(clockMillis);
  }

  void add(Call call) {
    hits += call.hits;
    call.rank = hits;
    calls.add(call);
  }

  long firstCallAt() {
    return calls.get(0).createdAt;
  }

  /** Sends the batch; whatever the backend or a caller throws, every call is answered. */
  void send(CounterKey key, long lateNanos) {
    try {
      context.batches.increment();
      context.action.saved(calls.size() - 1L);
      context.listener.sent(calls.size());
      context.backend.addLate(key, limit, hits, clockMillis, lateNanos, this, 0);
    } catch (RuntimeException | Error e) {
      try {
        failed(0, new BackendUnavailableException("the counter backend failed", e));
      } catch (RuntimeException | Error ofACaller) {
        // All callers were answered; what one of them threw is not for the sender.
      }
      if (e instanceof Error) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
      }
    }
  }

  @Override
  public void counted(int slot, long count) {
    if (batcher.complete(this, false)) {
      deliver(call -> call.sink.counted(call.slot, count - hits + call.rank));
    }
  }

  @Override
  public void failed(int slot, BackendUnavailableException reason) {
    if (batcher.complete(this, true)) {
      deliver(call -> call.sink.failed(call.slot, reason));
    }
  }

  /** Answers every call: those of an event loop on that loop, in one task for each loop. */
  private void deliver(Consumer<Call> answer) {
    Set<@Nullable CallerLoop> loops = new LinkedHashSet<>();
    calls.forEach(call -> loops.add(call.loop));
    forEach(
        loops,
        loop -> {
          if (loop == null) {
            deliver(null, answer);
          } else {
            loop.runOnLoop(() -> deliver(loop, answer));
          }
        });
  }

  private void deliver(@Nullable CallerLoop loop, Consumer<Call> answer) {
    forEach(
        calls,
        call -> {
          if (call.loop == loop) {
            answer.accept(call);
            context.listener.waited(sentAt - call.createdAt);
          }
        });
  }

  /** Visits all items although visits throw, then rethrows what the first of these threw. */
  private static <T extends @Nullable Object> void forEach(
      Iterable<T> items, Consumer<? super T> visitor) {
    RuntimeException exception = null;
    Error error = null;
    for (T item : items) {
      try {
        visitor.accept(item);
      } catch (RuntimeException e) {
        exception = exception == null ? e : exception;
      } catch (Error e) {
        error = error == null ? e : error;
      }
    }
    if (error != null) {
      throw error;
    }
    if (exception != null) {
      throw exception;
    }
  }

  /** One caller of a batch. */
  static final class Call {
    private final long hits;
    private final long createdAt;
    private final CounterSink sink;
    private final int slot;
    private final @Nullable CallerLoop loop;
    private long rank;

    Call(long hits, long createdAt, CounterSink sink, int slot, @Nullable CallerLoop loop) {
      this.hits = hits;
      this.createdAt = createdAt;
      this.sink = sink;
      this.slot = slot;
      this.loop = loop;
    }

    @Nullable CallerLoop loop() {
      return loop;
    }

    long createdAt() {
      return createdAt;
    }
  }
}
