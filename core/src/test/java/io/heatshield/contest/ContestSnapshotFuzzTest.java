package io.heatshield.contest;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.heatshield.snapshot.InvalidSnapshotException;
import java.io.ByteArrayInputStream;
import java.io.IOException;

/**
 * Loads any bytes as tables and blocks: they stay within their capacity or are rejected with a
 * reason.
 */
class ContestSnapshotFuzzTest {
  private static final int SLOTS = 64;

  @FuzzTest
  void load_anyBytes_isValidOrRejected(byte[] bytes) throws IOException {
    var fixture = new ContestFixture();

    try {
      ContestTable table =
          ContestSnapshotTest.load(fixture.builder(SLOTS), bytes, ContestSnapshotTest.TAKEN);
      assertThat(table.top(2 * SLOTS)).hasSizeLessThanOrEqualTo(SLOTS);
      assertThat(table.top(2 * SLOTS))
          .allSatisfy(entry -> assertThat(entry.score()).isFinite().isNotNegative());
    } catch (InvalidSnapshotException rejected) {
      assertThat(rejected).hasMessageStartingWith("snapshot ");
    }
    BlockTable blocks = ContestFixture.blocks(SLOTS, fixture.ticker::nanos);
    try {
      int notLoaded = blocks.load(new ByteArrayInputStream(bytes), ContestSnapshotTest.TAKEN);
      assertThat(notLoaded).isNotNegative();
      assertThat(blocks.blocks()).hasSizeLessThanOrEqualTo(SLOTS);
    } catch (InvalidSnapshotException rejected) {
      assertThat(rejected).hasMessageStartingWith("snapshot ");
    }
  }
}
