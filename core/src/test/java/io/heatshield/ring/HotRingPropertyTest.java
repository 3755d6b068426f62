package io.heatshield.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.action.Admission;
import io.heatshield.hash.HashSecret;
import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Compares the ring with a model that keeps every touch and advances time step by step. */
class HotRingPropertyTest {

  /** An operation on a key, and the time that passes before it. */
  record Step(int kind, int key, int limit, int millis) {}

  /** The settings of a ring; 0 disables the window, decay or rotation. */
  record Setup(int slots, int slotMillis, int decayMillis, int shift, int rotationMillis) {

    HotRingBuilder builder(FakeTicker ticker) {
      return HotRing.builder()
          .ticker(ticker::nanos)
          .bits(3)
          .window(slots, Duration.ofMillis(slotMillis))
          .decay(Duration.ofMillis(decayMillis), shift)
          .rotation(Duration.ofMillis(rotationMillis));
    }
  }

  @Property(tries = 1500)
  void operations_ringWithRoom_returnWhatTheModelReturns(
      @ForAll("setups") Setup setup, @ForAll("steps") List<Step> steps) {
    var ticker = new FakeTicker();
    HotRing ring = setup.builder(ticker).build();
    var model = new RingModel(setup);

    for (Step step : steps) {
      ticker.advance(Duration.ofMillis(step.millis()));
      model.advance(step.millis());
      String key = "key-" + step.key();
      switch (step.kind()) {
        case 0, 1, 2 -> assertThat(ring.touch(key)).isEqualTo(model.touch(key));
        case 3, 4 -> {
          long limit = Math.max(step.limit(), 0);
          boolean admitted = model.count(key) < limit;
          long count = admitted ? model.touch(key) : model.count(key);
          Admission admission = ring.tryTouch(key, limit);
          assertThat(admission.admitted()).isEqualTo(admitted);
          assertThat(ring.count(key)).isEqualTo(count);
          assertThat(admission.remaining()).isEqualTo(admitted ? limit - count : 0);
        }
        case 5 -> assertThat(ring.remove(key)).isEqualTo(model.remove(key));
        case 6 -> {
          Map<String, Long> listed = counts(ring.keysAbove(step.limit(), Merge.SUM));
          assertThat(listed).isEqualTo(model.above(Math.max(step.limit(), 1)));
        }
        default -> assertThat(ring.count(key)).isEqualTo(model.count(key));
      }
    }
    assertThat(ring.stats().touches()).isEqualTo(model.touches());
    assertThat(ring.stats().size()).isEqualTo(model.above(1).size());
  }

  @Property(tries = 500)
  void tryTouch_limited_admitsAfterItsRoomTimeAndNotBefore(
      @ForAll("setups") Setup setup, @ForAll("steps") List<Step> steps) {
    var ticker = new FakeTicker();
    HotRing ring = setup.builder(ticker).build();

    for (Step step : steps) {
      ticker.advance(Duration.ofMillis(step.millis()));
      String key = "key-" + step.key();
      long limit = Math.max(step.limit(), 1);
      Admission admission = ring.tryTouch(key, limit);
      if (!admission.admitted() && !admission.retryAfter().equals(Admission.NEVER)) {
        ticker.advance(admission.retryAfter().minusNanos(1));
        assertThat(ring.tryTouch(key, limit).admitted()).isFalse();
        ticker.advanceNanos(1);
        assertThat(ring.tryTouch(key, limit).admitted()).isTrue();
      }
    }
  }

  @Property(tries = 1000)
  void operations_fullRing_countHeldKeysAndDropTheOthers(
      @ForAll("setups") Setup setup, @ForAll("steps") List<Step> steps, @ForAll boolean sampled) {
    var ticker = new FakeTicker();
    HotRing ring =
        setup
            .builder(ticker)
            .maxKeys(4)
            .sampleBits(sampled ? 1 : 0)
            .secret(HashSecret.of(new byte[16]))
            .build();
    var model = new RingModel(setup);
    int bound = setup.rotationMillis() > 0 ? 8 : 4;
    long drops = 0;

    for (Step step : steps) {
      ticker.advance(Duration.ofMillis(step.millis()));
      model.advance(step.millis());
      String key = "key-" + step.key();
      if (step.kind() < 4) {
        boolean held = ring.count(key) > 0;
        if (!held) {
          model.remove(key);
        }
        long count = ring.touch(key);
        drops += count == 0 ? 1 : 0;
        if (held || count > 0) {
          assertThat(count).isEqualTo(model.touch(key));
        }
      } else {
        assertThat(ring.count(key)).isIn(0L, model.count(key));
      }
      assertThat(ring.stats().size()).isLessThanOrEqualTo(bound);
    }
    RingStats stats = ring.stats();
    assertThat(stats.drops()).isEqualTo(drops);
    assertThat(stats.touches() + drops).isEqualTo(steps.stream().filter(s -> s.kind() < 4).count());
    assertThat(stats.inserts()).isEqualTo(stats.size() + stats.evicted() + stats.expired());
  }

  @Provide
  Arbitrary<Setup> setups() {
    return Arbitraries.of(
        new Setup(0, 0, 0, 0, 0),
        new Setup(1, 10, 0, 0, 0),
        new Setup(3, 10, 0, 0, 30),
        new Setup(8, 5, 0, 0, 0),
        new Setup(8, 5, 0, 0, 47),
        new Setup(11, 3, 20, 1, 40),
        new Setup(0, 0, 20, 1, 0),
        new Setup(0, 0, 15, 2, 40),
        new Setup(0, 0, 7, 1, 30),
        new Setup(0, 0, 0, 0, 25));
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    Arbitrary<Integer> millis =
        Arbitraries.frequencyOf(
            net.jqwik.api.Tuple.of(6, Arbitraries.just(0)),
            net.jqwik.api.Tuple.of(4, Arbitraries.integers().between(1, 12)),
            net.jqwik.api.Tuple.of(1, Arbitraries.integers().between(13, 150)));
    return Combinators.combine(
            Arbitraries.integers().between(0, 7),
            Arbitraries.integers().between(0, 11),
            Arbitraries.integers().between(-1, 4),
            millis)
        .as(Step::new)
        .list()
        .ofMinSize(20)
        .ofMaxSize(120);
  }

  private static Map<String, Long> counts(List<KeyCount> keys) {
    var counts = new HashMap<String, Long>();
    keys.forEach(
        k -> counts.put(new String(k.key(), java.nio.charset.StandardCharsets.UTF_8), k.count()));
    return counts;
  }
}
