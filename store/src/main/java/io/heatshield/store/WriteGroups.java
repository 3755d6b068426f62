package io.heatshield.store;

import io.heatshield.guard.BytesKey;
import io.heatshield.store.call.Stages;
import io.heatshield.store.lock.Stripes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Executes the writes of hot keys in groups. Writes that wait for the same stripe become one batch,
 * in the order of arrival, and each gets the result that it would have got alone.
 */
final class WriteGroups {
  /*
   * A caller adds its write to the stripe's queue and then acquires the stripe. When it holds the
   * stripe, its write has been executed by another caller, or it executes groups from the queue
   * until its write was among them. The caller that executes a group completes all of its writes,
   * even if the group fails. A caller that cannot acquire the stripe removes its write from the
   * queue, unless a group contains it already.
   */
  private final Writes writes;
  private final StoreGuard guard;
  private final List<Queue<Waiting<?>>> queues = new ArrayList<>(Stripes.COUNT);

  WriteGroups(Writes writes, StoreGuard guard) {
    this.writes = writes;
    this.guard = guard;
    for (int i = 0; i < Stripes.COUNT; i++) {
      queues.add(new ConcurrentLinkedQueue<>());
    }
  }

  <T> CompletionStage<WriteResult<T>> submit(Keys key, Transaction<T> body) {
    var waiting = new Waiting<>(key, body);
    Queue<Waiting<?>> queue = queues.get(Stripes.place(key.hash(0)));
    queue.add(waiting);
    writes
        .holding(key, () -> execute(queue, waiting))
        .whenComplete(
            (none, failure) -> {
              if (failure != null && queue.remove(waiting)) {
                waiting.answer.completeExceptionally(failure);
              }
            });
    return waiting.answer;
  }

  /** Executes groups until a write was among them. */
  private CompletionStage<Void> execute(Queue<Waiting<?>> queue, Waiting<?> mine) {
    if (mine.taken) {
      return CompletableFuture.completedFuture(null);
    }
    var group = new ArrayDeque<Waiting<?>>();
    int most = guard.maxGroupSize();
    for (Waiting<?> next = queue.poll(); next != null; next = queue.poll()) {
      next.taken = true;
      group.add(next);
      if (group.size() == most) {
        break;
      }
    }
    return Stages.compose(execute(List.copyOf(group), 0), none -> execute(queue, mine));
  }

  private CompletionStage<Void> execute(List<Waiting<?>> group, int attempt) {
    var distinct = new LinkedHashSet<BytesKey>();
    group.forEach(waiting -> distinct.add(new BytesKey(waiting.key.key(0), waiting.key.hash(0))));
    Keys keys = Keys.of(distinct);
    CompletionStage<TransactionDraft> read =
        Stages.compose(CompletableFuture.completedFuture(keys), writes::read);
    return Stages.compose(read, draft -> commit(group, keys, draft))
        .handle(
            (done, failure) -> {
              if (failure == null && !done && attempt < Writes.MAX_ATTEMPTS) {
                return execute(group, attempt + 1);
              }
              Throwable reason = failure == null && !done ? Writes.contended() : failure;
              group.forEach(waiting -> waiting.complete(reason));
              return CompletableFuture.<Void>completedFuture(null);
            })
        .thenCompose(next -> next);
  }

  private CompletionStage<Boolean> commit(
      List<Waiting<?>> group, Keys keys, TransactionDraft draft) {
    group.forEach(waiting -> waiting.run(draft));
    int[] places = draft.changes();
    CompletionStage<Boolean> made =
        places.length == 0
            ? CompletableFuture.completedFuture(true)
            : writes.commit(keys, draft, places);
    guard.grouped(group.size());
    return made;
  }

  /** One write and its pending result. */
  private static final class Waiting<T> {
    final Keys key;
    final CompletableFuture<WriteResult<T>> answer = new CompletableFuture<>();
    private final Transaction<T> body;
    boolean taken;
    private @Nullable T result;
    private @Nullable RuntimeException fault;

    Waiting(Keys key, Transaction<T> body) {
      this.key = key;
      this.body = body;
    }

    /** Runs the write on the draft of its group; if it throws, its changes are undone. */
    void run(TransactionDraft draft) {
      TransactionDraft.Mark mark = draft.mark(key.key(0));
      fault = null;
      try {
        result = body.run(draft);
      } catch (RuntimeException e) {
        draft.reset(mark);
        fault = e;
      }
    }

    void complete(@Nullable Throwable failure) {
      if (fault != null) {
        answer.completeExceptionally(fault);
      } else if (failure != null) {
        answer.completeExceptionally(failure);
      } else {
        answer.complete(WriteResult.of(result));
      }
    }
  }
}
