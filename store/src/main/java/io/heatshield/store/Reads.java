package io.heatshield.store;

import io.heatshield.guard.AbsenceCheck;
import io.heatshield.guard.BytesKey;
import io.heatshield.guard.ReadThrough;
import io.heatshield.store.engine.Engine;
import io.heatshield.store.engine.EngineCalls;
import io.heatshield.store.engine.Found;
import io.heatshield.store.engine.ScanPage;
import io.heatshield.store.engine.Stages;
import io.heatshield.store.engine.Value;
import io.heatshield.store.stats.FilterCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The path of a read: the filter of absent keys, hot values in memory, a load that is pending, the
 * engine.
 */
final class Reads {
  private final StoreContext context;
  private final Engine engine;
  private final EngineCalls calls;
  private final StoreGuard guard;

  Reads(StoreContext context, StoreGuard guard) {
    this.context = context;
    this.engine = context.engine();
    this.calls = context.calls();
    this.guard = guard;
  }

  CompletionStage<@Nullable Value> get(byte[] key, long hash) {
    AbsenceCheck check = guard.check(hash);
    if (check.isAnswered()) {
      return CompletableFuture.completedFuture(null);
    }
    Optional<ReadThrough<BytesKey, Value>> hot = hotReads();
    return hot.isPresent()
        ? hot.get().get(new BytesKey(key, hash), () -> load(key, check))
        : load(key, check);
  }

  /** Returns what several keys hold; with a local engine as of one moment. */
  CompletionStage<List<@Nullable Value>> getAll(Keys keys) {
    return calls.make(
        () ->
            engine.isLocal()
                ? context.stripes().holding(keys.hashes(), () -> fetch(keys))
                : fetch(keys));
  }

  CompletionStage<ScanPage> scan(long cursor, int count) {
    calls.count();
    return Stages.then(
        calls.make(() -> engine.scan(cursor, count)),
        page -> {
          long now = context.clock().getAsLong();
          List<Found> live =
              page.keys().stream()
                  .filter(found -> engine.expiresByItself() || found.expiresAt() > now)
                  .toList();
          hotReads()
              .ifPresent(
                  hot ->
                      live.forEach(
                          found -> readPast(hot, found.key(), context.hash().hash(found.key()))));
          return new ScanPage(page.cursor(), live);
        });
  }

  /** Returns the stamp of a key. A change during the read counts as one that came later. */
  CompletionStage<Long> stamp(byte[] key, long hash) {
    long mark = context.stamps().mark(hash);
    return Stages.then(load(key, guard.observe(hash)), value -> context.stamps().of(mark, value));
  }

  /** Returns what filter and engine say of a key. */
  CompletionStage<FilterCheck> check(byte[] key, long hash) {
    boolean present = guard.absent().map(keys -> keys.looksPresent(hash)).orElse(true);
    boolean trusted = guard.absent().map(keys -> keys.isComplete()).orElse(false);
    return Stages.then(
        load(key, guard.observe(hash)), value -> new FilterCheck(present, trusted, value != null));
  }

  CompletionStage<Long> size() {
    return calls.makeLong(engine::size);
  }

  /** Asks the engine for a key, and compares with what the filter said. */
  private CompletionStage<@Nullable Value> load(byte[] key, AbsenceCheck check) {
    calls.count();
    return Stages.then(
        calls.make(() -> engine.get(key)),
        held -> {
          check.verify(held != null);
          return context.live(held);
        });
  }

  /** Asks the engine for those keys that neither filter nor memory knows. */
  private CompletionStage<List<@Nullable Value>> fetch(Keys keys) {
    Optional<ReadThrough<BytesKey, Value>> hot = hotReads();
    var values = new ArrayList<@Nullable Value>(keys.size());
    var asked = new ArrayList<byte[]>();
    var questions = new ArrayList<Question>();
    for (int i = 0; i < keys.size(); i++) {
      byte[] key = keys.key(i);
      AbsenceCheck check = guard.check(keys.hash(i));
      Value kept = null;
      if (!check.isAnswered()) {
        kept = hot.isPresent() ? kept(hot.get(), key, keys.hash(i)) : null;
        if (kept == null) {
          asked.add(key);
          questions.add(new Question(i, check));
        }
      }
      values.add(kept);
    }
    if (asked.isEmpty()) {
      return CompletableFuture.completedFuture(values);
    }
    calls.count();
    return Stages.then(
        engine.getAll(asked),
        answers -> {
          for (int i = 0; i < answers.size(); i++) {
            Question question = questions.get(i);
            int place = question.place;
            question.check.verify(answers.get(i) != null);
            Value value = context.live(answers.get(i));
            values.set(place, value);
            if (hot.isPresent() && value != null) {
              readPast(hot.get(), keys.key(place), keys.hash(place));
            }
          }
          return values;
        });
  }

  private @Nullable Value kept(ReadThrough<BytesKey, Value> hot, byte[] key, long hash) {
    return hot.getIfKept(new BytesKey(key, hash), () -> load(key, guard.observe(hash)));
  }

  private void readPast(ReadThrough<BytesKey, Value> hot, byte[] key, long hash) {
    hot.readPast(new BytesKey(key, hash), () -> load(key, guard.observe(hash)));
  }

  private Optional<ReadThrough<BytesKey, Value>> hotReads() {
    Optional<ReadThrough<BytesKey, Value>> hot = guard.hotReads();
    return hot.isPresent() && hot.get().values().isOn() ? hot : Optional.empty();
  }

  /** A key that the engine is asked for: its place, and what the filter said. */
  private record Question(int place, AbsenceCheck check) {}
}
