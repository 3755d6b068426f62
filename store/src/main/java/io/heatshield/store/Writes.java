package io.heatshield.store;

import io.heatshield.store.call.Stages;
import io.heatshield.store.engine.Batch;
import io.heatshield.store.engine.Engine;
import io.heatshield.store.engine.KeyRouting;
import io.heatshield.store.engine.StoreException;
import io.heatshield.store.engine.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The write path: throttle, filter of absent keys, engine, invalidation, result.
 *
 * <p>A call that always writes one key is throttled first. A transaction is throttled once it is
 * known which keys it writes.
 */
final class Writes {
  static final int MAX_ATTEMPTS = 100;

  private final StoreContext context;
  private final Engine engine;
  private final StoreGuard guard;
  private final WriteGroups groups;

  Writes(StoreContext context, StoreGuard guard) {
    this.context = context;
    this.engine = context.engine();
    this.guard = guard;
    this.groups = new WriteGroups(this, guard);
  }

  /** Sets the value of a key unconditionally. */
  CompletionStage<WriteResult<Boolean>> put(byte[] key, long hash, Value value) {
    return one(
        Keys.of(key, hash),
        view -> {
          view.put(key, value);
          return true;
        },
        true);
  }

  /** Changes one key, which is throttled even if nothing is changed. */
  <T> CompletionStage<WriteResult<T>> change(Keys key, Transaction<T> body) {
    return one(key, body, false);
  }

  /** Changes keys; those that are put are throttled. */
  <T> CompletionStage<WriteResult<T>> update(Keys keys, Transaction<T> body) {
    return holding(keys, () -> run(keys, body, false, true, 0));
  }

  /** Deletes a key if its value has expired, and returns whether it had. */
  boolean deleteIfExpired(Keys keys) {
    return Boolean.TRUE.equals(
        update(
                keys,
                view -> {
                  if (view.get(keys.key(0)) != null) {
                    return false;
                  }
                  view.delete(keys.key(0));
                  return true;
                })
            .toCompletableFuture()
            .join()
            .answer());
  }

  CompletionStage<Void> clear() {
    return context
        .calls()
        .make(
            () ->
                context
                    .stripes()
                    .holdingAll(
                        () ->
                            engine
                                .clear()
                                .whenComplete(
                                    (none, failure) -> {
                                      guard.cleared(failure == null);
                                      context.stamps().cleared();
                                    })));
  }

  <T> CompletionStage<T> holding(Keys keys, Supplier<CompletionStage<T>> action) {
    return context.calls().make(() -> context.stripes().holding(keys.hashes(), action));
  }

  /** Returns a draft that has read its keys, or reads them on demand. */
  CompletionStage<TransactionDraft> read(Keys keys) {
    TransactionDraft draft = draft(keys);
    if (engine.location().isLocal()) {
      return CompletableFuture.completedFuture(draft);
    }
    context.calls().count();
    return Stages.then(engine.getAll(keys.list()), draft::read);
  }

  static StoreException contended() {
    return new StoreException(
        StoreException.Reason.CONTENDED, "other writers keep changing these keys");
  }

  /** Makes the changes of a draft whose keys are held; false if another writer interfered. */
  CompletionStage<Boolean> commit(Keys keys, TransactionDraft draft, int[] places) {
    boolean[] added = new boolean[places.length];
    boolean[] removed = new boolean[places.length];
    List<Batch.Change> changes = new ArrayList<>(places.length);
    for (int i = 0; i < places.length; i++) {
      int place = places[i];
      Value after = draft.after(place);
      boolean hot = after != null && guard.routes(keys.key(place), keys.hash(place));
      changes.add(KeyRouting.change(keys.key(place), after, hot));
      if (guard.tracksKeys()) {
        added[i] = after != null && guard.adds(keys.hash(place), () -> draft.held(place));
        removed[i] = after == null && draft.held(place);
      }
    }
    context.calls().count();
    CompletionStage<Boolean> applied;
    try {
      applied =
          engine.apply(
              new Batch(changes, engine.location().isLocal() ? List.of() : draft.expected()));
    } catch (RuntimeException e) {
      applied = CompletableFuture.failedFuture(e);
    }
    return applied.handle(
        (done, failure) -> {
          boolean made = failure == null && done;
          boolean unchanged = failure == null ? !done : StoreException.isUnchanged(failure);
          for (int i = 0; i < places.length; i++) {
            int place = places[i];
            if ((made && removed[i]) || (unchanged && added[i])) {
              guard.removed(keys.hash(place));
            }
            guard.wrote(keys.key(place), keys.hash(place));
            if (draft.deletesExpired(place)) {
              context.stamps().expiredDeleted(keys.hash(place));
            } else {
              context.stamps().changed(keys.hash(place));
            }
          }
          if (failure != null) {
            throw StoreException.of(failure);
          }
          return made;
        });
  }

  /**
   * Returns the milliseconds until all puts of a draft are allowed, or 0. Exhausted keys are tried
   * first: if they refuse the draft, it does not count as a write of the others.
   */
  private long throttled(Keys keys, TransactionDraft draft, int[] places) {
    if (places.length == 1) {
      return tryWrite(keys, draft, places[0]);
    }
    var withRoom = new ArrayList<Integer>(places.length);
    long longest = 0;
    for (int place : places) {
      if (guard.isExhausted(keys.key(place), keys.hash(place))) {
        longest = Math.max(longest, tryWrite(keys, draft, place));
      } else {
        withRoom.add(place);
      }
    }
    for (int i = 0; longest == 0 && i < withRoom.size(); i++) {
      longest = tryWrite(keys, draft, withRoom.get(i));
    }
    return longest;
  }

  private <T> CompletionStage<WriteResult<T>> one(Keys key, Transaction<T> body, boolean blind) {
    long wait = guard.tryWrite(key.key(0), key.hash(0));
    if (wait > 0) {
      return CompletableFuture.completedFuture(WriteResult.refused(wait));
    }
    if (guard.isBurst(key.key(0), key.hash(0))) {
      return groups.submit(key, body);
    }
    return holding(key, () -> run(key, body, blind, false, 0));
  }

  private <T> CompletionStage<WriteResult<T>> run(
      Keys keys, Transaction<T> body, boolean blind, boolean throttles, int attempt) {
    if (blind && !guard.tracksKeys()) {
      return finish(keys, draft(keys), body, blind, throttles, attempt);
    }
    return Stages.compose(
        read(keys), draft -> finish(keys, draft, body, blind, throttles, attempt));
  }

  private <T> CompletionStage<WriteResult<T>> finish(
      Keys keys,
      TransactionDraft draft,
      Transaction<T> body,
      boolean blind,
      boolean throttles,
      int attempt) {
    T answer = body.run(draft);
    int[] places = draft.changes();
    if (places.length == 0) {
      return CompletableFuture.completedFuture(WriteResult.of(answer));
    }
    long wait = throttles && attempt == 0 ? throttled(keys, draft, places) : 0;
    if (wait > 0) {
      return CompletableFuture.completedFuture(WriteResult.refused(wait));
    }
    return Stages.compose(
        commit(keys, draft, places),
        made -> {
          if (made) {
            return CompletableFuture.completedFuture(WriteResult.of(answer));
          }
          if (attempt == MAX_ATTEMPTS) {
            return CompletableFuture.failedFuture(contended());
          }
          return run(keys, body, blind, throttles, attempt + 1);
        });
  }

  /** Counts a put of a draft; returns 0, or the milliseconds until it is allowed. */
  private long tryWrite(Keys keys, TransactionDraft draft, int place) {
    if (draft.after(place) == null) {
      return 0;
    }
    // With the throttle off this counts the write; a draft that holds its keys is never grouped.
    boolean unused = guard.isBurst(keys.key(place), keys.hash(place));
    return guard.tryWrite(keys.key(place), keys.hash(place));
  }

  private TransactionDraft draft(Keys keys) {
    long now = context.clock().getAsLong();
    return new TransactionDraft(keys, context.stamps(), now, !engine.removesExpired(), this::held);
  }

  private @Nullable Value held(byte[] key) {
    return engine.get(key).toCompletableFuture().join();
  }
}
