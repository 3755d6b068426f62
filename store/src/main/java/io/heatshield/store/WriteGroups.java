package io.heatshield.store;

import io.heatshield.guard.BytesKey;
import io.heatshield.store.engine.Stages;
import io.heatshield.store.lock.Stripes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the writes of hot keys in groups: those that wait for the same stripe become one
 * batch, in the order of their coming, and each gets the answer that it would have got alone.
 */
final class WriteGroups {
  /*
   * Whoever submits puts its write into the stripe's queue first and takes the stripe then. By the time it holds it, its
   * write is done, or it carries out what waits until it is. Whoever carries out a group tells all of it, whatever fails;
   * who cannot take the stripe takes its write back, unless a group has it already.
   */
  static final int USUAL_SIZE = 16;

  private final Writes writes;
  private final List<Queue<Waiting<?>>> queues = new ArrayList<>(Stripes.COUNT);

  WriteGroups(Writes writes) {
    this.writes = writes;
    for (int i = 0; i < Stripes.COUNT; i++) {
      queues.add(new ConcurrentLinkedQueue<>());
    }
  }

  <T> CompletionStage<Written<T>> submit(Keys key, Transaction<T> body) {
    var waiting = new Waiting<>(key, body);
    Queue<Waiting<?>> queue = queues.get(Stripes.place(key.hash(0)));
    queue.add(waiting);
    writes
        .holding(key, () -> carryOut(queue, waiting))
        .whenComplete(
            (none, failure) -> {
              if (failure != null && queue.remove(waiting)) {
                waiting.answer.completeExceptionally(failure);
              }
            });
    return waiting.answer;
  }

  /** Carries out groups until one write is among them. */
  private CompletionStage<Void> carryOut(Queue<Waiting<?>> queue, Waiting<?> mine) {
    if (mine.taken) {
      return CompletableFuture.completedFuture(null);
    }
    var group = new ArrayDeque<Waiting<?>>();
    int most = writes.groupSize();
    for (Waiting<?> next = queue.poll(); next != null; next = queue.poll()) {
      next.taken = true;
      group.add(next);
      if (group.size() == most) {
        break;
      }
    }
    return Stages.go(carryOut(List.copyOf(group), 0), none -> carryOut(queue, mine));
  }

  private CompletionStage<Void> carryOut(List<Waiting<?>> group, int attempt) {
    var hashes = new LinkedHashMap<BytesKey, Long>();
    group.forEach(waiting -> hashes.put(new BytesKey(waiting.key.key(0), waiting.key.hash(0)), 0L));
    Keys keys = Keys.of(hashes.keySet());
    CompletionStage<TransactionDraft> read =
        Stages.go(CompletableFuture.completedFuture(keys), writes::read);
    return Stages.go(read, draft -> commit(group, keys, draft))
        .handle(
            (done, failure) -> {
              if (failure == null && !done && attempt < Writes.MAX_ATTEMPTS) {
                return carryOut(group, attempt + 1);
              }
              Throwable reason = failure == null && !done ? Writes.contended() : failure;
              group.forEach(waiting -> waiting.tell(reason));
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
    writes.grouped(group.size());
    return made;
  }

  /** One write, and who waits for it. */
  private static final class Waiting<T> {
    final Keys key;
    final CompletableFuture<Written<T>> answer = new CompletableFuture<>();
    private final Transaction<T> body;
    boolean taken;
    private @Nullable T result;
    private @Nullable RuntimeException fault;

    Waiting(Keys key, Transaction<T> body) {
      this.key = key;
      this.body = body;
    }

    /** Runs on a draft that others of the group have run on; a fault leaves it as it was. */
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

    void tell(@Nullable Throwable failure) {
      if (fault != null) {
        answer.completeExceptionally(fault);
      } else if (failure != null) {
        answer.completeExceptionally(failure);
      } else {
        answer.complete(Written.of(result));
      }
    }
  }
}
