package io.heatshield.contest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.snapshot.InvalidSnapshotException;
import io.heatshield.testkit.time.FakeTicker;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlockSnapshotTest {
  private static final long TAKEN = ContestSnapshotTest.TAKEN;
  private static final int HEADER_BYTES = 32;

  private final FakeTicker ticker = new FakeTicker();
  private final BlockTable table = table(10);

  @Test
  void load_storedBlocks_keepsTheRemainingTime() throws Exception {
    block("short", 10);
    block("long", 100);
    byte[] stored = stored();

    BlockTable loaded = table(10);
    ticker.advance(Duration.ofDays(1));
    int notLoaded = load(loaded, stored, TAKEN + 30_000);

    assertThat(notLoaded).isZero();
    assertThat(loaded.blocks()).hasToString("[long for PT1M10S]");
    assertThat(loaded.blocks().get(0).tag()).isEqualTo(100);
  }

  @Test
  void load_tableWithALongerBlock_keepsTheLongerBlock() throws Exception {
    block("client", 10);
    byte[] stored = stored();
    block("client", 60);

    assertThat(load(table, stored, TAKEN)).isZero();
    assertThat(table.blocks()).hasToString("[client for PT1M]");
    assertThat(table.stats().size()).isEqualTo(1);
  }

  @Test
  void load_fewerSlots_keepsTheLongestAndReturnsTheNumberNotLoaded() throws Exception {
    for (int i = 1; i <= 10; i++) {
      block("client:" + i, i);
    }
    BlockTable small = table(3);

    assertThat(load(small, stored(), TAKEN)).isEqualTo(7);
    assertThat(small.blocks()).extracting(BlockedKey::tag).containsExactly(10, 9, 8);
  }

  @Test
  void load_truncatedOrBitFlipped_isRejectedAndChangesNothing() throws Exception {
    block("A", 10);
    byte[] stored = stored();
    BlockTable empty = table(10);

    for (int length = 0; length < stored.length; length++) {
      assertRejected(empty, Arrays.copyOf(stored, length), "");
    }
    for (int bit = 0; bit < stored.length * Byte.SIZE; bit++) {
      byte[] flipped = stored.clone();
      flipped[bit / Byte.SIZE] ^= (byte) (1 << (bit % Byte.SIZE));
      assertRejected(empty, flipped, "");
    }

    assertThat(empty.stats().size()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "24, 8, 1900000000000, from the future",
    "36, 2, 600, invalid key length: 600 bytes",
    "47, 8, 0, invalid block time: 0 ns",
    "47, 8, -5, invalid block time: -5 ns",
    "47, 8, 9223372036854775807, invalid block time: 9223372036854775807 ns"
  })
  void load_invalidValueWithValidChecksum_isRejected(
      int offset, int width, long value, String reason) throws Exception {
    block("A", 10);
    byte[] forged = stored();
    ByteBuffer bytes = ByteBuffer.wrap(forged).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < width; i++) {
      forged[offset + i] = (byte) (value >>> (8 * i));
    }
    var crc = new CRC32C();
    crc.update(forged, 0, HEADER_BYTES);
    bytes.putInt(HEADER_BYTES, (int) crc.getValue());
    crc.update(forged, HEADER_BYTES + 4, forged.length - HEADER_BYTES - 8);
    bytes.putInt(forged.length - 4, (int) crc.getValue());

    assertRejected(table(10), forged, reason);
  }

  private static void assertRejected(BlockTable table, byte[] stored, String reason) {
    assertThatThrownBy(() -> load(table, stored, TAKEN))
        .isInstanceOf(InvalidSnapshotException.class)
        .hasMessageStartingWith("snapshot ")
        .hasMessageContaining(reason);
  }

  private BlockTable table(int capacity) {
    return ContestFixture.blocks(capacity, ticker::nanos);
  }

  private void block(String key, int seconds) {
    assertThat(ContestFixture.block(table, key, Duration.ofSeconds(seconds), seconds))
        .isNotEqualTo(BlockOutcome.FULL);
  }

  private byte[] stored() throws IOException {
    var out = new ByteArrayOutputStream();
    table.snapshot().writeTo(out, TAKEN);
    return out.toByteArray();
  }

  private static int load(BlockTable table, byte[] stored, long now) throws IOException {
    return table.load(new ByteArrayInputStream(stored), now);
  }
}
