package io.heatshield.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The way of a write: clamp, filter, engine, cache, answer.
 *
 * <p>The clamp comes first where a call writes one key in any case; a transaction is clamped once
 * it is known what it writes.
 */
final class Writes {
  static final int MAX_ATTEMPTS = 100;

  private final Engine engine;
  private final EngineCalls calls;
  private final Stripes stripes;
  private final Stamps stamps;
  private final Parts parts;
  private final Guards guards;
  private final Groups groups;

  Writes(
      Engine engine,
      EngineCalls calls,
      Stripes stripes,
      Stamps stamps,
      Parts parts,
      Guards guards) {
    this.engine = engine;
    this.calls = calls;
    this.stripes = stripes;
    this.stamps = stamps;
    this.parts = parts;
    this.guards = guards;
    this.groups = new Groups(this);
  }

  /** Sets what a key holds, whatever that was. */
  CompletionStage<Written<Boolean>> put(byte[] key, long hash, Value value) {
    return one(
        Keys.of(key, hash),
        view -> {
          view.put(key, value);
          return true;
        },
        true);
  }

  /** Changes one key, which is clamped whatever comes of it. */
  <T> CompletionStage<Written<T>> change(Keys key, Transaction<T> body) {
    return one(key, body, false);
  }

  /** Changes keys; those that are put are clamped. */
  <T> CompletionStage<Written<T>> update(Keys keys, Transaction<T> body) {
    return holding(keys, () -> run(keys, body, false, true, 0));
  }

  /** Deletes a key if what it holds has ended, and returns whether that was so. */
  boolean dropIfEnded(Keys keys) {
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
    return calls.make(
        () ->
            stripes.holdingAll(
                () -> engine.clear().whenComplete((none, failure) -> cleared(failure == null))));
  }

  <T> CompletionStage<T> holding(Keys keys, Supplier<CompletionStage<T>> action) {
    return calls.make(() -> stripes.holding(keys.hashes(), action));
  }

  /** Returns a draft that knows, or can find out, what its keys hold. */
  CompletionStage<Draft> read(Keys keys) {
    Draft draft = draft(keys);
    if (engine.isLocal()) {
      return CompletableFuture.completedFuture(draft);
    }
    parts.tally().engineCalls.add(1);
    return Stages.then(engine.getAll(keys.list()), draft::read);
  }

  static StoreException contended() {
    return new StoreException(StoreException.Reason.CONTENDED, "others keep changing these keys");
  }

  /** Carries out a draft whose keys are held; the stage tells false if others came in between. */
  CompletionStage<Boolean> commit(Keys keys, Draft draft, int[] places) {
    boolean[] added = new boolean[places.length];
    boolean[] taken = new boolean[places.length];
    List<Batch.Change> changes = new ArrayList<>(places.length);
    for (int i = 0; i < places.length; i++) {
      int place = places[i];
      Value after = draft.after(place);
      boolean hot = after != null && guards.routes(keys.key(place), keys.hash(place));
      changes.add(new Batch.Change(keys.key(place), after, hot));
      if (guards.knowsKeys()) {
        added[i] =
            after != null
                && guards.adds(keys.key(place), keys.hash(place), () -> draft.held(place));
        taken[i] = after == null && draft.held(place);
      }
    }
    parts.tally().engineCalls.add(1);
    CompletionStage<Boolean> applied;
    try {
      applied = engine.apply(new Batch(changes, engine.isLocal() ? List.of() : draft.relied()));
    } catch (RuntimeException e) {
      applied = CompletableFuture.failedFuture(e);
    }
    return applied.handle(
        (done, failure) -> {
          boolean made = failure == null && done;
          boolean unmade = failure == null ? !done : StoreException.isUnmade(failure);
          for (int i = 0; i < places.length; i++) {
            int place = places[i];
            if ((made && taken[i]) || (unmade && added[i])) {
              guards.removed(keys.hash(place));
            }
            guards.settled(keys.key(place), keys.hash(place), made && draft.after(place) != null);
            guards.wrote(keys.key(place), keys.hash(place));
            if (draft.deletesEnded(place)) {
              stamps.endedDeleted(keys.hash(place));
            } else {
              stamps.changed(keys.hash(place));
            }
          }
          if (failure != null) {
            throw StoreException.of(failure);
          }
          return made;
        });
  }

  /**
   * Returns how long until all that a draft puts may be put, or 0. Keys without room are asked
   * first: a draft that they refuse is no write of the others.
   */
  long clamped(Keys keys, Draft draft, int[] places) {
    if (places.length == 1) {
      return clamp(keys, draft, places[0]);
    }
    var withRoom = new ArrayList<Integer>(places.length);
    long longest = 0;
    for (int place : places) {
      if (guards.isFull(keys.key(place), keys.hash(place))) {
        longest = Math.max(longest, clamp(keys, draft, place));
      } else {
        withRoom.add(place);
      }
    }
    for (int i = 0; longest == 0 && i < withRoom.size(); i++) {
      longest = clamp(keys, draft, withRoom.get(i));
    }
    return longest;
  }

  int groupSize() {
    return Groups.USUAL_SIZE * guards.batchMultiplier();
  }

  void grouped(int writes) {
    guards.grouped(writes);
  }

  private <T> CompletionStage<Written<T>> one(Keys key, Transaction<T> body, boolean blind) {
    long wait = guards.clamp(key.key(0), key.hash(0));
    if (wait > 0) {
      return CompletableFuture.completedFuture(Written.refused(wait));
    }
    if (guards.isBurst(key.key(0), key.hash(0))) {
      return groups.submit(key, body);
    }
    return holding(key, () -> run(key, body, blind, false, 0));
  }

  private <T> CompletionStage<Written<T>> run(
      Keys keys, Transaction<T> body, boolean blind, boolean clamps, int attempt) {
    if (blind && !guards.knowsKeys()) {
      return finish(keys, draft(keys), body, blind, clamps, attempt);
    }
    return Stages.go(read(keys), draft -> finish(keys, draft, body, blind, clamps, attempt));
  }

  private <T> CompletionStage<Written<T>> finish(
      Keys keys, Draft draft, Transaction<T> body, boolean blind, boolean clamps, int attempt) {
    T answer = body.run(draft);
    int[] places = draft.changes();
    if (places.length == 0) {
      return CompletableFuture.completedFuture(Written.of(answer));
    }
    long wait = clamps && attempt == 0 ? clamped(keys, draft, places) : 0;
    if (wait > 0) {
      return CompletableFuture.completedFuture(Written.refused(wait));
    }
    return Stages.go(
        commit(keys, draft, places),
        made -> {
          if (made) {
            return CompletableFuture.completedFuture(Written.of(answer));
          }
          if (attempt == MAX_ATTEMPTS) {
            return CompletableFuture.failedFuture(contended());
          }
          return run(keys, body, blind, clamps, attempt + 1);
        });
  }

  /** Counts a put of a draft; returns how long until it may be made, or 0. */
  private long clamp(Keys keys, Draft draft, int place) {
    if (draft.after(place) == null) {
      return 0;
    }
    // With the clamp off this counts the write; what holds its keys already is in no group.
    boolean unused = guards.isBurst(keys.key(place), keys.hash(place));
    return guards.clamp(keys.key(place), keys.hash(place));
  }

  private void cleared(boolean wholly) {
    guards.cleared(wholly);
    stamps.cleared();
  }

  private Draft draft(Keys keys) {
    long now = parts.clock().getAsLong();
    return new Draft(keys, stamps, now, !engine.expiresByItself(), this::held);
  }

  private @Nullable Value held(byte[] key) {
    return engine.get(key).toCompletableFuture().join();
  }
}
