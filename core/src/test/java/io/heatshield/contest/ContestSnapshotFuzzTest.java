package io.heatshield.contest;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.heatshield.hash.HashSecret;
import io.heatshield.snapshot.InvalidSnapshotException;
import java.io.ByteArrayInputStream;
import java.io.IOException;

/**
 * Any bytes are tables and blocks that hold no more than they may, or are refused with a reason.
 */
class ContestSnapshotFuzzTest {
  private static final int SLOTS = 64;

  @FuzzTest
  void load_ofAnyBytes_isATableOrARefusal(byte[] bytes) throws IOException {
    var fixture = new ContestFixture();

    try {
      ContestTable table =
          ContestSnapshotTest.load(fixture.builder(SLOTS), bytes, ContestSnapshotTest.TAKEN);
      assertThat(table.top(2 * SLOTS)).hasSizeLessThanOrEqualTo(SLOTS);
      assertThat(table.top(2 * SLOTS))
          .allSatisfy(entry -> assertThat(entry.score()).isFinite().isNotNegative());
    } catch (InvalidSnapshotException refused) {
      assertThat(refused).hasMessageStartingWith("snapshot ");
    }
    var blocks = new BlockTable(SLOTS, HashSecret.of(new byte[32]), fixture.ticker::nanos);
    try {
      int left = blocks.load(new ByteArrayInputStream(bytes), ContestSnapshotTest.TAKEN);
      assertThat(left).isNotNegative();
      assertThat(blocks.blocks()).hasSizeLessThanOrEqualTo(SLOTS);
    } catch (InvalidSnapshotException refused) {
      assertThat(refused).hasMessageStartingWith("snapshot ");
    }
  }
}
