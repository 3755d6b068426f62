package io.heatshield.contest;

import static io.heatshield.contest.ContestFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.heatshield.hash.HashSecret;
import io.heatshield.snapshot.InvalidSnapshotException;
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

class ContestSnapshotTest {
  static final long TAKEN = 1_800_000_000_000L;

  private static final int HEADER_BYTES = 44;

  private final ContestFixture fixture = new ContestFixture();

  @Test
  void load_storedTable_hasTheSameEntries() throws Exception {
    ContestTable table =
        ContestFixture.table(fixture.builder(100).distinct(DistinctSettings.DEFAULT));
    for (int i = 1; i <= 60; i++) {
      Tracked entry = ContestFixture.tracked(ContestFixture.touch(table, "client:" + i));
      ContestFixture.touch(table, "client:" + i, i - 1);
      for (int value = 0; value < i; value++) {
        entry.addDistinct(value * 0x9e3779b97f4a7c15L);
      }
      fixture.ticker.advanceNanos(1_000_000);
    }
    ContestFixture.touch(table, "x".repeat(600), 5);

    ContestTable loaded =
        load(fixture.builder(100).distinct(DistinctSettings.DEFAULT), stored(table), TAKEN);

    assertThat(loaded.top(100)).hasSize(61);
    assertThat(loaded.top(100))
        .usingRecursiveFieldByFieldElementComparator()
        .isEqualTo(table.top(100));
    assertThat(ContestFixture.touch(loaded, "x".repeat(600))).asString().contains("x");
    assertThat(loaded.stats().size()).isEqualTo(61);
  }

  @Test
  void load_laterThanTheSnapshot_decaysScores() throws Exception {
    ContestTable table = fixture.table(10);
    ContestFixture.touch(table, "client", 100);

    ContestTable loaded =
        load(fixture.builder(10), stored(table), TAKEN + Duration.ofSeconds(20).toMillis());

    KeyScore entry = loaded.top(1).get(0);
    assertThat(entry.score()).isCloseTo(100 * Math.exp(-2), within(1e-9));
    assertThat(entry.age()).isEqualTo(Duration.ofSeconds(20));
  }

  @Test
  void load_keyThatWonAContest_keepsItsRateError() throws Exception {
    ContestTable table = fixture.table(1);
    ContestFixture.touch(table, "first", 10);
    ContestFixture.touch(table, "second", 20);

    ContestTable loaded = load(fixture.builder(1), stored(table), TAKEN);

    assertThat(loaded.top(1).get(0).rateError())
        .isPositive()
        .isEqualTo(table.top(1).get(0).rateError());
  }

  @Test
  void load_fewerSlots_keepsTheHighestScores() throws Exception {
    ContestTable table = fixture.table(100);
    for (int i = 1; i <= 60; i++) {
      ContestFixture.touch(table, "client:" + i, i);
    }

    ContestTable loaded = load(fixture.builder(5), stored(table), TAKEN);

    assertThat(loaded.top(10))
        .extracting(KeyScore::score)
        .containsExactly(60.0, 59.0, 58.0, 57.0, 56.0);
  }

  @Test
  void load_fullTable_keepsTheOrderOfLastTouches() throws Exception {
    ContestTable table = fixture.table(3);
    for (String key : new String[] {"c", "a", "b"}) {
      ContestFixture.touch(table, key, 50);
      fixture.ticker.advance(Duration.ofSeconds(3));
    }
    ContestTable loaded = load(fixture.builder(3), stored(table), TAKEN);
    fixture.ticker.advance(Duration.ofSeconds(2));

    assertThat(ContestFixture.touch(loaded, "newcomer")).isNotNull();

    assertThat(ContestFixture.find(loaded, "c")).isNull();
    assertThat(loaded.stats().expired()).isEqualTo(1);
  }

  @Test
  void load_truncatedAnywhere_isRejected() throws Exception {
    byte[] stored = stored(smallTable());

    for (int length = 0; length < stored.length; length++) {
      byte[] cut = Arrays.copyOf(stored, length);
      assertRejected(cut, "");
    }
  }

  @Test
  void load_anyBitFlipped_isRejected() throws Exception {
    byte[] stored = stored(smallTable());

    for (int bit = 0; bit < stored.length * Byte.SIZE; bit++) {
      byte[] flipped = stored.clone();
      flipped[bit / Byte.SIZE] ^= (byte) (1 << (bit % Byte.SIZE));
      assertRejected(flipped, "");
    }
  }

  @Test
  void load_anotherSecret_isRejected() throws Exception {
    byte[] stored = stored(smallTable());

    ContestTable other = fixture.builder(4).keys(HashSecret.random(), entry -> {});

    assertThatThrownBy(
            () -> ContestSnapshot.restore(new ByteArrayInputStream(stored), TAKEN, other))
        .isInstanceOf(InvalidSnapshotException.class)
        .hasMessage("snapshot was made under another hash function or secret");
  }

  @Test
  void load_fromTheFuture_isRejectedBeyondTheClockTolerance() throws Exception {
    byte[] stored = stored(smallTable());

    assertThat(load(fixture.builder(4), stored, TAKEN - 60_000).stats().size()).isEqualTo(2);
    assertThatThrownBy(() -> load(fixture.builder(4), stored, TAKEN - 60_001))
        .isInstanceOf(InvalidSnapshotException.class)
        .hasMessage("snapshot is from the future");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 8, 1, is of another kind",
    "8, 2, 2, has version 2",
    "10, 2, 1, must be zero",
    "12, 4, -1, must have 0 to 10000000 entries",
    "12, 4, 10000001, must have 0 to 10000000 entries",
    "12, 4, 10000000, ends too early",
    "24, 8, -1, from the future",
    "24, 8, 9223372036854775807, from the future",
    "32, 8, 0, invalid window: 0 ns",
    "32, 8, -1, invalid window: -1 ns",
    "40, 4, 63, invalid bitmap size: 63 bits",
    "40, 4, 1073741824, invalid bitmap size: 1073741824 bits",
    "48, 2, 513, invalid key length: 513 bytes",
    "48, 2, 65535, invalid key length: 65535 bytes",
    "50, 8, 1, the hash of another key",
    "58, 1, 66, the hash of another key",
    "59, 8, 9221120237041090560, invalid score: NaN",
    "59, 8, 9218868437227405312, invalid score: Infinity",
    "59, 8, -4616189618054758400, invalid score: -1.0",
    "67, 8, -1, a touch in the future",
    "75, 4, 2143289344, invalid error share: NaN",
    "75, 4, 1073741824, invalid error share: 2.0",
    "75, 4, -1082130432, invalid error share: -1.0"
  })
  void load_invalidValueWithValidChecksum_isRejected(
      int offset, int width, long value, String reason) throws Exception {
    byte[] forged = stored(smallTable());
    for (int i = 0; i < width; i++) {
      forged[offset + i] = (byte) (value >>> (8 * i));
    }
    reseal(forged);

    assertRejected(forged, reason);
  }

  @Test
  void load_duplicateKey_isRejected() throws Exception {
    byte[] forged = stored(smallTable());
    int entry = (forged.length - HEADER_BYTES - 4) / 2;
    System.arraycopy(forged, HEADER_BYTES + 4, forged, HEADER_BYTES + 4 + entry, entry);
    reseal(forged);

    assertRejected(forged, "a key twice");
  }

  static byte[] stored(ContestTable table) throws IOException {
    var out = new ByteArrayOutputStream();
    table.snapshot().writeTo(out, TAKEN);
    return out.toByteArray();
  }

  static ContestTable load(HeavyHittersBuilder builder, byte[] stored, long now)
      throws IOException {
    ContestTable table = ContestFixture.table(builder);
    ContestSnapshot.restore(new ByteArrayInputStream(stored), now, table);
    return table;
  }

  /** Returns a table of two entries with keys of one byte. */
  private ContestTable smallTable() {
    ContestTable table = fixture.table(4);
    ContestFixture.touch(table, "A", 3);
    ContestFixture.touch(table, "C", 5);
    return table;
  }

  private void assertRejected(byte[] stored, String reason) {
    assertThatThrownBy(() -> load(fixture.builder(4), stored, TAKEN))
        .isInstanceOf(InvalidSnapshotException.class)
        .hasMessageStartingWith("snapshot ")
        .hasMessageContaining(reason);
  }

  /** Recomputes the checksums of a snapshot with two entries of the same size. */
  private static void reseal(byte[] snapshot) {
    ByteBuffer bytes = ByteBuffer.wrap(snapshot).order(ByteOrder.LITTLE_ENDIAN);
    var crc = new CRC32C();
    crc.update(snapshot, 0, HEADER_BYTES);
    bytes.putInt(HEADER_BYTES, (int) crc.getValue());
    int entry = (snapshot.length - HEADER_BYTES - 4) / 2;
    for (int at = HEADER_BYTES + 4; at < snapshot.length; at += entry) {
      crc.update(snapshot, at, entry - 4);
      bytes.putInt(at + entry - 4, (int) crc.getValue());
    }
  }
}
