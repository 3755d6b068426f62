package io.heatshield.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openjdk.jol.info.ClassLayout;
import org.openjdk.jol.info.GraphLayout;

/** The stated bytes against the JVM's own layout. */
class RingFootprintTest {
  private final FakeTicker ticker = new FakeTicker();

  @Test
  void entries_ofEveryKind_areAsLargeAsStated() {
    byte[] key = new byte[0];

    assertThat(ClassLayout.parseInstance(new PlainEntry(0, (byte) 0, key)).instanceSize())
        .isEqualTo(40);
    assertThat(ClassLayout.parseInstance(new AgedEntry(0, (byte) 0, key, 0)).instanceSize())
        .isEqualTo(56);
    assertThat(ClassLayout.parseInstance(new WindowEntry(0, (byte) 0, key, 0, 8)).instanceSize())
        .isEqualTo(64);
  }

  @ParameterizedTest
  @CsvSource({"8, 24", "8, 600", "0, 24", "12, 5"})
  void ring_atItsCap_takesNoMoreThanItsBound(int slots, int keyLength) {
    int cap = 5_000;
    HotRing ring =
        HotRing.builder()
            .ticker(ticker::nanos)
            .window(slots, Duration.ofMillis(250))
            .rotation(Duration.ZERO)
            .cap(cap)
            .bits(6)
            .build();
    long empty = GraphLayout.parseInstance(ring).totalSize();

    for (int i = 0; i < 3 * cap; i++) {
      ring.touch(String.format("%0" + keyLength + "d", i));
    }

    long used = GraphLayout.parseInstance(ring).totalSize() - empty;
    long refused = 256 * 1024 + 1024;
    long bound = (long) cap * ring.entryBytes(keyLength) + refused;
    assertThat(used).isLessThanOrEqualTo(bound).isGreaterThan(bound / 2);
    assertThat(ring.stats().bytes()).isLessThanOrEqualTo((long) cap * ring.entryBytes(keyLength));
  }
}
