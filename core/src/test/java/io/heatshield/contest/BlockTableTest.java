package io.heatshield.contest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BlockTableTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final FakeTicker ticker = new FakeTicker();
  private final BlockTable table = ContestFixture.blocks(100, ticker::nanos);

  @Test
  void find_blockedKey_isZeroAfterTheFullTime() {
    assertThat(left("client")).isZero();

    assertThat(block("client", MINUTE)).isEqualTo(BlockOutcome.BLOCKED);

    assertThat(left("client")).isEqualTo(MINUTE.toNanos());
    assertThat(left("another")).isZero();
    ticker.advance(MINUTE.minusNanos(1));
    assertThat(left("client")).isEqualTo(1);
    ticker.advanceNanos(1);
    assertThat(left("client")).isZero();
    assertThat(block("client", MINUTE)).isEqualTo(BlockOutcome.BLOCKED);
  }

  @Test
  void block_blockedKey_isExtendedButNeverShortened() {
    block("client", MINUTE);

    assertThat(block("client", Duration.ofSeconds(1))).isEqualTo(BlockOutcome.KEPT);
    assertThat(left("client")).isEqualTo(MINUTE.toNanos());
    assertThat(block("client", MINUTE.multipliedBy(2))).isEqualTo(BlockOutcome.EXTENDED);
    assertThat(left("client")).isEqualTo(2 * MINUTE.toNanos());
    assertThat(table.stats()).isEqualTo(new BlockStats(1, 100, 1, 1, 0, 0));
  }

  @Test
  void block_floodOfTenTimesTheSlots_keepsBlocksAndReportsFull() {
    for (int i = 0; i < 100; i++) {
      assertThat(block("client:" + i, MINUTE)).isEqualTo(BlockOutcome.BLOCKED);
    }

    for (int i = 0; i < 1_000; i++) {
      assertThat(block("flood:" + i, MINUTE.multipliedBy(9))).isEqualTo(BlockOutcome.FULL);
      assertThat(left("flood:" + i)).isZero();
    }

    ticker.advance(MINUTE.minusNanos(1));
    for (int i = 0; i < 100; i++) {
      assertThat(left("client:" + i)).isEqualTo(1);
    }
    assertThat(table.stats()).isEqualTo(new BlockStats(100, 100, 100, 0, 1_000, 0));
  }

  @Test
  void block_afterBlocksEnded_reusesTheirSlots() {
    for (int i = 0; i < 100; i++) {
      block("client:" + i, MINUTE.plusNanos(i));
    }
    assertThat(block("late", MINUTE)).isEqualTo(BlockOutcome.FULL);
    ticker.advance(MINUTE);

    assertThat(block("late", Duration.ofSeconds(1))).isEqualTo(BlockOutcome.BLOCKED);
    assertThat(block("later", MINUTE)).isEqualTo(BlockOutcome.FULL);
    ticker.advance(Duration.ofSeconds(1));

    for (int i = 0; i < 100; i++) {
      assertThat(block("new:" + i, MINUTE)).isEqualTo(BlockOutcome.BLOCKED);
    }
    assertThat(table.stats().size()).isEqualTo(100);
  }

  @Test
  void lift_blockedKey_endsTheBlockAndFreesItsSlot() {
    block("client", MINUTE);

    assertThat(ContestFixture.lift(table, "client")).isTrue();

    assertThat(left("client")).isZero();
    assertThat(ContestFixture.lift(table, "client")).isFalse();
    assertThat(table.stats()).isEqualTo(new BlockStats(0, 100, 1, 0, 0, 1));
  }

  @Test
  void blocks_activeBlocks_areListedLongestFirst() {
    block("short", Duration.ofSeconds(1));
    block("middle", MINUTE);
    ContestFixture.block(table, "long", MINUTE.multipliedBy(2), 7);
    ticker.advance(Duration.ofSeconds(1));

    assertThat(table.blocks())
        .extracting(BlockedKey::toString)
        .containsExactly("long for PT1M59S", "middle for PT59S");
    assertThat(table.blocks().get(0).tag()).isEqualTo(7);
  }

  @Test
  void find_blockedKeyWithATag_returnsTimeAndTagUntilTheBlockEnds() {
    ContestFixture.block(table, "client", MINUTE, 7);
    ticker.advance(Duration.ofSeconds(20));

    BlockedKey found = ContestFixture.findBlock(table, "client");

    assertThat(found).isNotNull();
    assertThat(found.left()).isEqualTo(Duration.ofSeconds(40));
    assertThat(found.tag()).isEqualTo(7);
    assertThat(ContestFixture.findBlock(table, "another")).isNull();
    ticker.advance(Duration.ofSeconds(40));
    assertThat(ContestFixture.findBlock(table, "client")).isNull();
  }

  @Test
  void resize_fewerSlotsThanBlocks_endsNoBlockAndAddsNone() {
    for (int i = 0; i < 100; i++) {
      block("client:" + i, MINUTE);
    }

    table.resize(10);

    assertThat(block("late", MINUTE)).isEqualTo(BlockOutcome.FULL);
    for (int i = 0; i < 100; i++) {
      assertThat(left("client:" + i)).isEqualTo(MINUTE.toNanos());
    }
    ticker.advance(MINUTE);
    for (int i = 0; i < 11; i++) {
      assertThat(block("new:" + i, MINUTE))
          .isEqualTo(i < 10 ? BlockOutcome.BLOCKED : BlockOutcome.FULL);
    }
  }

  @Test
  void block_timeZeroOrTooLong_throws() {
    assertThatThrownBy(() -> block("client", Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> block("client", Duration.ofDays(367)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private BlockOutcome block(String key, Duration time) {
    return ContestFixture.block(table, key, time, 0);
  }

  private long left(String key) {
    BlockedKey block = ContestFixture.findBlock(table, key);
    return block == null ? 0 : block.leftNanos();
  }
}
