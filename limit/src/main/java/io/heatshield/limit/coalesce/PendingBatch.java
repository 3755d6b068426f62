package io.heatshield.limit.coalesce;

import io.heatshield.limit.Limit;
import io.heatshield.limit.counter.BackendUnavailableException;
import io.heatshield.limit.counter.CounterKey;
import io.heatshield.limit.counter.CounterSink;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
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
   * The thread that completes the batch takes the lock first, so it sees all calls. A loop gets the
   * batch from that thread.
   */
  final long window;
  long sentAt;
  boolean completed;
  private final Batcher batcher;
  private final CoalescingCounters coalescer;
  private final Limit limit;
  private final long clockMillis;
  private final List<Call> calls = new ArrayList<>();
  private long hits;

  PendingBatch(Batcher batcher, CoalescingCounters coalescer, Limit limit, long clockMillis) {
    this.batcher = batcher;
    this.coalescer = coalescer;
    this.limit = limit;
    this.clockMillis = clockMillis;
    this.window = limit.unit().window(clockMillis);
  }

  void add(Call call) {
    hits += call.hits;
    calls.add(call);
  }

  long firstCallAt() {
    return calls.get(0).createdAt;
  }

  /** Sends the batch; whatever the backend or a caller throws, every call is answered. */
  void send(CounterKey key, long lateNanos) {
    try {
      coalescer.batches.increment();
      coalescer.action.saved(calls.size() - 1L);
      coalescer.listener.sent(calls.size());
      coalescer.backend.addLate(key, limit, hits, clockMillis, lateNanos, this, 0);
    } catch (RuntimeException | Error e) {
      try {
        failed(0, new BackendUnavailableException("the counter backend failed", e));
      } catch (RuntimeException | Error ofCaller) {
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
      deliver((call, rank) -> call.sink.counted(call.slot, count - hits + rank));
    }
  }

  @Override
  public void failed(int slot, BackendUnavailableException reason) {
    if (batcher.complete(this, true)) {
      deliver((call, rank) -> call.sink.failed(call.slot, reason));
    }
  }

  /**
   * Answers every call, even if callers throw: those of an event loop on that loop, in one task.
   * Then rethrows what was thrown, an error first.
   */
  private void deliver(Answer answer) {
    Set<@Nullable CallerLoop> loops = new LinkedHashSet<>();
    calls.forEach(call -> loops.add(call.loop));
    Throwable thrown = null;
    for (CallerLoop loop : loops) {
      try {
        if (loop == null) {
          deliver(null, answer);
        } else {
          loop.runOnLoop(() -> deliver(loop, answer));
        }
      } catch (RuntimeException | Error e) {
        thrown = worse(thrown, e);
      }
    }
    rethrow(thrown);
  }

  private void deliver(@Nullable CallerLoop loop, Answer answer) {
    Throwable thrown = null;
    long rank = 0;
    for (Call call : calls) {
      rank += call.hits;
      if (call.loop == loop) {
        try {
          answer.deliver(call, rank);
          coalescer.listener.waited(sentAt - call.createdAt);
        } catch (RuntimeException | Error e) {
          thrown = worse(thrown, e);
        }
      }
    }
    rethrow(thrown);
  }

  private static Throwable worse(@Nullable Throwable first, Throwable next) {
    return first == null || (next instanceof Error && !(first instanceof Error)) ? next : first;
  }

  private static void rethrow(@Nullable Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    if (thrown instanceof RuntimeException exception) {
      throw exception;
    }
  }

  /** One call of a batch; the loop is null if the caller is not an event loop. */
  record Call(long hits, long createdAt, CounterSink sink, int slot, @Nullable CallerLoop loop) {}

  /** Delivers the outcome of a batch to one of its calls, whose rank is the hits up to it. */
  private interface Answer {
    void deliver(Call call, long rank);
  }
}
