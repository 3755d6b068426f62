package io.heatshield.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openjdk.jol.info.ClassLayout;
import org.openjdk.jol.vm.VM;

/** Compares the documented sizes with the JVM's object layout. */
class RingFootprintTest {
  private final FakeTicker ticker = new FakeTicker();

  @Test
  void instanceSize_everyKindOfEntry_isAsDocumented() {
    byte[] key = new byte[0];

    assertThat(ClassLayout.parseInstance(new GenerationEntry(0, (byte) 0, key, 0)).instanceSize())
        .isEqualTo(56);
    assertThat(ClassLayout.parseInstance(new WindowEntry(0, (byte) 0, key, 0, 8)).instanceSize())
        .isEqualTo(64);
  }

  @ParameterizedTest
  @CsvSource({"8, 24", "8, 600", "0, 24", "12, 5"})
  void entryBytes_ringAtItsCap_boundsItsMemory(int slots, int keyLength) {
    int cap = 5_000;
    HotRing ring =
        HotRing.builder()
            .ticker(ticker::nanos)
            .window(slots, Duration.ofMillis(250))
            .rotation(Duration.ZERO)
            .maxKeys(cap)
            .bits(6)
            .build();
    for (int i = 0; i < 3 * cap; i++) {
      ring.touch(String.format(Locale.ROOT, "%0" + keyLength + "d", i));
    }

    long bound = (long) cap * ring.entryBytes(keyLength);
    assertThat(sizeOfTable(ring, slots - 1)).isLessThanOrEqualTo(bound).isGreaterThan(bound / 2);
    assertThat(ring.stats().bytes()).isLessThanOrEqualTo((long) cap * ring.entryBytes(keyLength));
  }

  /** Returns the bytes of the cells, the entries, their keys and their arrays of slots. */
  private static long sizeOfTable(HotRing ring, int wideSlots) {
    long[] size = new long[1];
    ring.table.forEach(
        ring.table.clock.currentEpoch(),
        entry ->
            size[0] +=
                VM.current().sizeOf(entry)
                    + VM.current().sizeOf(entry.key)
                    + (wideSlots > WindowEntry.LANES
                        ? VM.current().sizeOf(new long[wideSlots])
                        : 0));
    return size[0] + (Integer.BYTES + 2 * Long.BYTES) * ring.table.cells();
  }
}
