package io.heatshield.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogFileTest {
  private static final int RECORDS = 6;

  @SuppressWarnings("NullAway.Init") // Set before each test.
  @TempDir
  Path folder;

  private Path log = Path.of("");
  private byte[] whole = new byte[0];

  @BeforeEach
  void write() throws IOException {
    log = folder.resolve("000001.log");
    Files.createFile(log);
    var random = new Random(1);
    for (int i = 0; i < RECORDS; i++) {
      byte[] payload = new byte[i == 2 ? 80_000 : 40 + i];
      random.nextBytes(payload);
      LogFile.append(log, payload);
    }
    whole = Files.readAllBytes(log);
  }

  @Test
  void check_ofAWholeLog_findsNothing() throws IOException {
    LogFile.State state = LogFile.check(log);

    assertThat(state.isDamaged()).isFalse();
    assertThat(state.torn()).isFalse();
    assertThat(state.droppedBytes()).isZero();
    assertThat(state.intactRecords()).isGreaterThanOrEqualTo(RECORDS);
  }

  @Test
  void check_afterAFlippedBitInTheLastBlock_findsDamage() throws IOException {
    int lastBlock = whole.length / LogFile.BLOCK * LogFile.BLOCK;
    for (int at = lastBlock; at < whole.length; at += at > whole.length - 400 ? 1 : 97) {
      int bit = at % 8;
      byte[] flipped = whole.clone();
      flipped[at] ^= (byte) (1 << bit);
      Files.write(log, flipped);

      assertThat(LogFile.check(log).isDamaged()).as("byte %d bit %d", at, bit).isTrue();
    }
  }

  @Test
  void check_afterAFlippedBitInAnEarlierBlock_reportsWhereAndContinues() throws IOException {
    byte[] flipped = whole.clone();
    flipped[50] ^= 4;
    Files.write(log, flipped);

    LogFile.State state = LogFile.check(log);

    assertThat(state.damagedAt()).isBetween(1L, 50L);
    assertThat(state.intactRecords()).isPositive();
    assertThat(state.droppedBytes()).isBetween(1L, (long) LogFile.BLOCK);
  }

  @Test
  void check_ofALogCutOffAnywhere_neverFindsDamage() throws IOException {
    for (int length = 0; length < whole.length; length += length > whole.length - 300 ? 1 : 211) {
      Files.write(log, Arrays.copyOf(whole, length));

      assertThat(LogFile.check(log).isDamaged()).as("length %d", length).isFalse();
    }
  }

  @Test
  void check_ofZerosAtTheEnd_isTorn() throws IOException {
    Files.write(log, Arrays.copyOf(whole, whole.length + 500));

    LogFile.State state = LogFile.check(log);

    assertThat(state.torn()).isTrue();
    assertThat(state.isDamaged()).isFalse();
  }
}
