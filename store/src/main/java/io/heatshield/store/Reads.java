package io.heatshield.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The way of a read: what the filter says is absent, the cache of hot keys, the flight that already
 * loads the key, the engine.
 */
final class Reads {
  private final Engine engine;
  private final EngineCalls calls;
  private final Stripes stripes;
  private final Stamps stamps;
  private final Parts parts;
  private final Guards guards;

  Reads(Engine engine, EngineCalls calls, Stripes stripes, Stamps stamps, Parts parts) {
    this.engine = engine;
    this.calls = calls;
    this.stripes = stripes;
    this.stamps = stamps;
    this.parts = parts;
    this.guards = new Guards(parts, engine, this::load);
  }

  Guards guards() {
    return guards;
  }

  CompletionStage<@Nullable Value> get(byte[] key, long hash) {
    Absence absence = guards.absence;
    boolean saidAbsent = absence != null && absence.says(hash);
    if (absence != null && saidAbsent && absence.answers(hash)) {
      return CompletableFuture.completedFuture(null);
    }
    HotReads hot = guards.hotReads;
    return hot != null && hot.isOn() ? hot.get(key, hash, saidAbsent) : load(key, hash, saidAbsent);
  }

  /** Returns what the engine holds and has not ended, whatever is kept of it. */
  CompletionStage<@Nullable Value> load(byte[] key, long hash) {
    return load(key, hash, guards.absence != null && guards.absence.says(hash));
  }

  /** Returns what the engine holds and has not ended, and holds it against what the filter said. */
  private CompletionStage<@Nullable Value> load(byte[] key, long hash, boolean saidAbsent) {
    Absence absence = guards.absence;
    long mark = saidAbsent ? stamps.mark(hash) : 0;
    // Asked again after the mark: a key that was put since the first answer is no disagreement.
    boolean stillSaid = saidAbsent && absence != null && absence.says(hash);
    parts.tally().engineCalls.add(1);
    return Stages.then(
        calls.make(() -> engine.get(key)),
        held -> {
          if (absence != null) {
            absence.compare(hash, stillSaid, held, stillSaid && stamps.mark(hash) == mark);
          }
          return live(held);
        });
  }

  /** Returns what several keys hold; with a local engine as of one moment. */
  CompletionStage<List<@Nullable Value>> getAll(Keys keys) {
    return calls.make(
        () -> engine.isLocal() ? stripes.holding(keys.hashes(), () -> fetch(keys)) : fetch(keys));
  }

  CompletionStage<ScanPage> scan(long cursor, int count) {
    parts.tally().engineCalls.add(1);
    return Stages.then(
        calls.make(() -> engine.scan(cursor, count)),
        page -> {
          long now = parts.clock().getAsLong();
          List<Found> live =
              page.keys().stream()
                  .filter(found -> engine.expiresByItself() || found.expiresAt() > now)
                  .toList();
          if (guards.hotReads != null) {
            live.forEach(
                found -> guards.hotReads.scanned(found.key(), parts.hash().hash(found.key())));
          }
          return new ScanPage(page.cursor(), live);
        });
  }

  /** Returns the stamp of a key. A change during the read counts as one that came later. */
  CompletionStage<Long> stamp(byte[] key, long hash) {
    long mark = stamps.mark(hash);
    return Stages.then(load(key, hash), value -> stamps.of(mark, value));
  }

  /** Returns what filter and engine say of a key. */
  CompletionStage<FilterCheck> check(byte[] key, long hash) {
    Absence absence = guards.absence;
    boolean present = absence == null || absence.filter().contains(hash);
    boolean trusted = absence != null && absence.isComplete();
    return Stages.then(load(key, hash), value -> new FilterCheck(present, trusted, value != null));
  }

  CompletionStage<Long> size() {
    return calls.makeLong(engine::size);
  }

  /** Asks the engine for what neither filter nor cache knows. */
  private CompletionStage<List<@Nullable Value>> fetch(Keys keys) {
    HotReads hot = guards.hotReads != null && guards.hotReads.isOn() ? guards.hotReads : null;
    Absence absence = guards.absence;
    var values = new ArrayList<@Nullable Value>(keys.size());
    var questions = new ArrayList<Question>();
    var asked = new ArrayList<byte[]>();
    for (int i = 0; i < keys.size(); i++) {
      Value kept = null;
      long hash = keys.hash(i);
      boolean saidAbsent = absence != null && absence.says(hash);
      if (absence == null || !saidAbsent || !absence.answers(hash)) {
        kept = hot != null ? hot.kept(new Key(keys.key(i), hash)) : null;
        if (kept == null) {
          long mark = saidAbsent ? stamps.mark(hash) : 0;
          boolean stillSaid = saidAbsent && absence != null && absence.says(hash);
          questions.add(new Question(i, stillSaid, mark));
          asked.add(keys.key(i));
        }
      }
      values.add(kept);
    }
    if (asked.isEmpty()) {
      return CompletableFuture.completedFuture(values);
    }
    parts.tally().engineCalls.add(1);
    return Stages.then(
        engine.getAll(asked),
        answers -> {
          for (int i = 0; i < answers.size(); i++) {
            Question question = questions.get(i);
            int place = question.place;
            compare(question, keys.hash(place), answers.get(i));
            Value value = live(answers.get(i));
            values.set(place, value);
            if (hot != null && value != null) {
              hot.scanned(keys.key(place), keys.hash(place));
            }
          }
          return values;
        });
  }

  /** Holds what the filter said of a key against what the engine holds. */
  private void compare(Question question, long hash, @Nullable Value held) {
    boolean said = question.saidAbsent;
    if (guards.absence != null) {
      guards.absence.compare(hash, said, held, said && stamps.mark(hash) == question.mark);
    }
  }

  private @Nullable Value live(@Nullable Value value) {
    boolean ended = value != null && value.expires() && value.isExpired(parts.clock().getAsLong());
    return ended ? null : value;
  }

  /** A key that the engine is asked for: its place, what the filter said, and its stamp then. */
  private record Question(int place, boolean saidAbsent, long mark) {}
}
