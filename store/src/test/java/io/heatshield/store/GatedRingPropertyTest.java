package io.heatshield.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.ring.HotRing;
import io.heatshield.testkit.time.FakeTicker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/** Counts of a gated ring against those of a ring that counts every use. */
class GatedRingPropertyTest {
  private static final HashSecret SECRET = HashSecret.of(new byte[32]);
  private static final KeyHash HASH = KeyHash.fast(SECRET);
  private static final long THRESHOLD = 8;

  /** The count from which none is below the truth. */
  private static final long TRUE_FROM = 7;

  /** A use of a key some milliseconds after the one before. */
  record Use(int key, int after) {}

  @Provide
  Arbitrary<List<Use>> uses() {
    Arbitrary<Integer> gaps =
        Arbitraries.frequencyOf(
            Tuple.of(20, Arbitraries.just(0)),
            Tuple.of(10, Arbitraries.integers().between(1, 300)),
            Tuple.of(1, Arbitraries.integers().between(300, 5_000)));
    return Combinators.combine(Arbitraries.integers().between(0, 4), gaps)
        .as(Use::new)
        .list()
        .ofMaxSize(200);
  }

  @Property
  void count_ofAnyUses_isTheTruthFromSevenOnAndAtMostThreeAbove(
      @ForAll("uses") List<Use> uses, @ForAll boolean crowded) {
    var ticker = new FakeTicker();
    RingShape shape = RingShape.standard();
    // So few bytes for the gate that all keys share a few cells, or enough for each to have its
    // own.
    long bytes = crowded ? 16 << 10 : 1 << 20;
    HotRing exact = shape.build(SECRET, ticker::nanos, 1 << 20);
    GatedRing gated = GatedRing.of(shape, SECRET, ticker::nanos, bytes);

    for (Use use : uses) {
      ticker.advance(Duration.ofMillis(use.after()));
      byte[] key = ("key" + use.key()).getBytes(StandardCharsets.US_ASCII);
      long hash = HASH.hash(key);
      long truth = exact.touchHashed(hash, key);

      long count = gated.count(key, hash, ticker.nanos(), THRESHOLD);

      assertThat(count).isBetween(truth >= TRUE_FROM ? truth : 1, truth + FirstUses.MOST);
    }
  }

  @Property(tries = 20)
  void count_underALowThreshold_isThatOfTheRing(@ForAll("uses") List<Use> uses) {
    var ticker = new FakeTicker();
    HotRing exact = RingShape.standard().build(SECRET, ticker::nanos, 1 << 20);
    GatedRing gated = GatedRing.of(RingShape.standard(), SECRET, ticker::nanos, 1 << 20);

    for (Use use : uses) {
      ticker.advance(Duration.ofMillis(use.after()));
      byte[] key = {(byte) use.key()};

      long count = gated.count(key, HASH.hash(key), ticker.nanos(), 2);

      assertThat(count).isEqualTo(exact.touchHashed(HASH.hash(key), key));
    }
  }
}
