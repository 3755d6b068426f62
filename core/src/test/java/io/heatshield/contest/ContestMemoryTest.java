package io.heatshield.contest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.key.KeyForm;
import io.heatshield.time.Rate;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openjdk.jol.info.ClassLayout;
import org.openjdk.jol.info.GraphLayout;

/** Compares the documented memory with the memory that the JVM uses. */
class ContestMemoryTest {
  static {
    // Lets jol read the fields of records and lambdas, which the JVM hides.
    System.setProperty("jol.magicFieldOffset", "true");
  }

  private static final int SLOTS = 4_096;

  /** The bytes of a table outside its slots: stripes, generators, the secret, reachable classes. */
  private static final long OVERHEAD = 200_000;

  @Test
  void entry_ofATable_has80Bytes() {
    Tracked entry =
        ContestFixture.tracked(ContestFixture.touch(new ContestFixture().table(1), "client"));

    assertThat(ClassLayout.parseInstance(entry).instanceSize()).isEqualTo(80);
  }

  @ParameterizedTest
  @CsvSource({"24, true", "24, false", "600, false"})
  void table_floodOfTenTimesItsSlots_staysWithinSlotBytes(int keyLength, boolean state) {
    var fixture = new ContestFixture();
    ContestTable table =
        ContestFixture.table(state ? ruled(fixture.builder(SLOTS)) : fixture.builder(SLOTS));

    for (int i = 0; i < 10 * SLOTS; i++) {
      String key = String.format(Locale.ROOT, "%0" + keyLength + "d", i);
      fixture.ticker.advanceNanos(ContestFixture.WINDOW.toNanos() / 1_000);
      Tracked entry = ContestFixture.touch(table, key);
      if (entry != null && state) {
        entry.addDistinct(i);
        long unused = entry.charge(1, -1);
      }
    }

    assertThat(table.stats().size()).isEqualTo(SLOTS);
    assertThat(table.stats().evictions()).isPositive();
    long bound = SLOTS * table.entryBytes(keyLength);
    assertThat(GraphLayout.parseInstance(table).totalSize())
        .isLessThan(bound + OVERHEAD)
        .isGreaterThan(bound * 3 / 4);
  }

  @ParameterizedTest
  @CsvSource({"5, false", "24, true", "600, true"})
  void blockTable_full_staysWithinSlotBytes(int keyLength, boolean isGrown) {
    var fixture = new ContestFixture();
    int slots = isGrown ? SLOTS : 100;
    BlockTable table = ContestFixture.blocks(slots, fixture.ticker::nanos);

    for (int i = 0; i < 2 * slots; i++) {
      byte[] key = String.format(Locale.ROOT, "%0" + keyLength + "d", i).getBytes(UTF_8);
      long hash = i * 0x9e3779b97f4a7c15L;
      var unused = table.block(KeyForm.BYTES, key, hash, Duration.ofHours(1), 0);
    }

    assertThat(table.stats().size()).isEqualTo(slots);
    long bound = slots * BlockTable.slotBytes(keyLength);
    assertThat(GraphLayout.parseInstance(table).totalSize())
        .isLessThan(bound + OVERHEAD)
        .isGreaterThan(bound * 3 / 4);
  }

  private static HeavyHittersBuilder ruled(HeavyHittersBuilder builder) {
    return builder
        .distinct(DistinctSettings.DEFAULT)
        .rule(Rule.rate("slow", Rate.perSecond(1)))
        .rule(Rule.rate("fast", Rate.perSecond(9)));
  }
}
