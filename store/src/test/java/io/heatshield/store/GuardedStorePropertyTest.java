package io.heatshield.store;

import static io.heatshield.store.GuardedSubject.bytes;
import static io.heatshield.store.GuardedSubject.now;
import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.action.Mode;
import io.heatshield.store.engine.StoreException;
import io.heatshield.store.engine.Value;
import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/** Compares a store with all protections with a map whose entries expire. */
class GuardedStorePropertyTest {
  private static final long START = 1_700_000_000_000L;

  @Property(tries = 300)
  void everyCall_withEveryMechanismOn_answersAsAMapDoes(
      @ForAll("steps") List<Step> steps, @ForAll boolean local, @ForAll boolean clampOff) {
    var world = new World(local, clampOff);

    steps.forEach(world::take);

    world.checkAll();
    world.store.close();
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    return Combinators.combine(
            Arbitraries.of(
                "get",
                "get",
                "get",
                "getAll",
                "put",
                "put",
                "putTtl",
                "putAbsent",
                "putPresent",
                "delete",
                "increment",
                "expire",
                "rename",
                "clear",
                "elapse",
                "maintain",
                "foreign",
                "fail"),
            Arbitraries.integers().between(0, 5),
            Arbitraries.integers().between(1, 3000))
        .as(Step::new)
        .list()
        .ofMaxSize(200);
  }

  /** One call. */
  record Step(String what, int key, int number) {}

  private record ModelValue(String text, long end) {}

  private static final class World {
    final AtomicLong millis = new AtomicLong(START);
    final FakeTicker ticker = new FakeTicker();
    final TestEngine engine;
    final GuardedStore store;
    final Map<String, ModelValue> model = new TreeMap<>();

    World(boolean local, boolean clampOff) {
      engine = new TestEngine(local);
      StoreOptions options =
          StoreOptions.of("model")
              .maxMemory(4 << 20)
              .with(
                  new StoreOptions.HotReads(
                      Mode.ENFORCE, 2, Duration.ofSeconds(2), Duration.ofSeconds(1)))
              .with(
                  new StoreOptions.WriteLimit(
                      clampOff ? Mode.OFF : Mode.ENFORCE, clampOff ? 1 : 1000, 3, 2))
              .with(new StoreOptions.Routing(Mode.ENFORCE, 2, 2, RingShape.routing()))
              .with(StoreOptions.Filter.of(Mode.ENFORCE, 4));
      store =
          GuardedStore.over(engine)
              .options(local ? options : options.withSharedWriters())
              .clock(millis::get)
              .ticker(ticker::nanos)
              .withoutUpkeep()
              .build();
    }

    void take(Step step) {
      String key = "k" + step.key;
      byte[] k = bytes(key);
      String text = "v" + step.number;
      switch (step.what) {
        case "get" -> assertThat(read(k)).isEqualTo(model(key));
        case "getAll" -> {
          List<@Nullable Value> values = now(store.getAll(List.of(k, bytes("k0"), bytes("never"))));
          assertThat(text(values.get(0))).isEqualTo(model(key));
          assertThat(text(values.get(1))).isEqualTo(model("k0"));
          assertThat(text(values.get(2))).isNull();
        }
        case "put" -> {
          now(store.put(k, bytes(text)));
          model.put(key, new ModelValue(text, Long.MAX_VALUE));
        }
        case "putTtl" -> {
          now(store.put(k, bytes(text), Duration.ofMillis(step.number)));
          model.put(key, new ModelValue(text, millis.get() + step.number));
        }
        case "putAbsent", "putPresent" -> {
          boolean absent = step.what.equals("putAbsent");
          Boolean met =
              now(store.put(k, Value.of(text), absent ? Condition.IF_ABSENT : Condition.IF_PRESENT))
                  .answer();
          assertThat(met).isEqualTo((model(key) == null) == absent);
          if (Boolean.TRUE.equals(met)) {
            model.put(key, new ModelValue(text, Long.MAX_VALUE));
          }
        }
        case "delete" -> {
          assertThat(now(store.delete(k))).isEqualTo(model(key) != null);
          model.remove(key);
        }
        case "increment" -> increment(step, key, k);
        case "expire" -> {
          Boolean there = now(store.expire(k, Duration.ofMillis(step.number))).answer();
          assertThat(there).isEqualTo(model(key) != null);
          if (Boolean.TRUE.equals(there)) {
            model.computeIfPresent(
                key, (same, held) -> new ModelValue(held.text, millis.get() + step.number));
          }
        }
        case "rename" -> rename(step, key, k);
        case "clear" -> {
          store.clear().toCompletableFuture().join();
          model.clear();
        }
        case "elapse" -> {
          millis.addAndGet(step.number);
          ticker.advance(Duration.ofMillis(step.number));
        }
        case "maintain" -> store.maintain();
        case "foreign" -> {
          if (!engine.location().isLocal()) {
            engine.writeAsOther(k, Value.of(text));
            model.put(key, new ModelValue(text, Long.MAX_VALUE));
          }
        }
        case "fail" -> fail(k, text);
        default -> throw new IllegalStateException(step.what);
      }
    }

    void checkAll() {
      for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i <= 5; i++) {
          assertThat(read(bytes("k" + i))).isEqualTo(model("k" + i));
        }
        store.maintain();
      }
      if (engine.location().isLocal()) {
        assertThat(store.stats().disagreements()).isZero();
      }
    }

    private void increment(Step step, String key, byte[] k) {
      String before = model(key);
      if (before != null && before.startsWith("v")) {
        now(store.delete(k));
        model.remove(key);
        before = null;
      }
      long sum = (before == null ? 0 : Long.parseLong(before)) + step.number;
      ModelValue held = model.get(key);
      assertThat(now(store.increment(k, step.number)).answer()).isEqualTo(sum);
      model.put(
          key,
          new ModelValue(
              Long.toString(sum), before == null || held == null ? Long.MAX_VALUE : held.end));
    }

    private void rename(Step step, String from, byte[] k) {
      byte[] to = bytes("k" + (step.number % 6));
      now(
          store.update(
              List.of(k, to),
              view -> {
                Value value = view.get(k);
                if (value != null) {
                  view.delete(k);
                  view.put(to, value);
                }
                return true;
              }));
      if (model(from) != null) {
        ModelValue held = model.remove(from);
        if (held != null) {
          model.put("k" + (step.number % 6), held);
        }
      }
    }

    private void fail(byte[] k, String text) {
      engine.failure = new StoreException(StoreException.Reason.FULL, "no room");
      assertThat(store.put(k, bytes(text)).toCompletableFuture()).isCompletedExceptionally();
      engine.failure = null;
    }

    private @Nullable String read(byte[] key) {
      return text(store.get(key).toCompletableFuture().join());
    }

    private static @Nullable String text(@Nullable Value value) {
      return value == null ? null : value.text();
    }

    private @Nullable String model(String key) {
      ModelValue held = model.get(key);
      return held == null || held.end <= millis.get() ? null : held.text;
    }
  }
}
