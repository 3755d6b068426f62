package io.heatshield.contest;

import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.hash.HashSecret;
import io.heatshield.snapshot.InvalidSnapshotException;
import io.heatshield.time.Rate;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class HeavyHittersSnapshotTest {
  private static final Instant TAKEN = Instant.parse("2026-11-16T04:00:00Z");
  private static final Rule FIVE_AT_ONCE =
      Rule.rate("five", Rate.perHour(1)).burst(5).block(ofMinutes(5));

  private final ContestFixture fixture = new ContestFixture();
  private final HeavyHitters table = blocked(builder().build());

  @Test
  void restore_aWrittenTable_hasKeysAndBlocksForTheRestOfTheirTimes() throws IOException {
    HeavyHitters restored = builder().restore(in(written()), TAKEN.plus(ofMinutes(2)));

    KeyScore client = restored.find("client").orElseThrow();
    assertThat(client.age()).isEqualTo(ofMinutes(2));
    assertThat(client.distinct().estimate()).isEqualTo(1);
    assertThat(restored.touch("client").retryAfter()).isEqualTo(ofMinutes(3));
    assertThat(restored.blocked())
        .singleElement()
        .satisfies(block -> assertThat(block.rule()).contains("five"));
  }

  @Test
  void restore_damagedOrOfAnotherSecret_throws() throws IOException {
    byte[] written = written();

    for (int length = 0; length < written.length; length++) {
      byte[] cut = Arrays.copyOf(written, length);
      assertThatThrownBy(() -> builder().restore(in(cut), TAKEN))
          .isInstanceOf(InvalidSnapshotException.class);
    }
    HeavyHittersBuilder other = builder().secret(HashSecret.of(new byte[16]));
    assertThatThrownBy(() -> other.restore(in(written), TAKEN))
        .isInstanceOf(InvalidSnapshotException.class)
        .hasMessage("snapshot was made under another hash function or secret");
  }

  @Test
  void restoreKeys_damaged_changesNothing() throws IOException {
    var out = new ByteArrayOutputStream();
    table.writeKeysTo(out, TAKEN);
    byte[] damaged = out.toByteArray();
    damaged[damaged.length - 9] ^= 1;

    assertThatThrownBy(() -> table.restoreKeys(in(damaged), TAKEN))
        .isInstanceOf(InvalidSnapshotException.class);

    assertThat(table.find("client").orElseThrow().score()).isEqualTo(6);
    assertThat(table.stats().keys().touches()).isEqualTo(6);
  }

  @Test
  void restoreBlocks_moreThanFit_returnsTheNumberDropped() throws IOException {
    for (int i = 0; i < 5; i++) {
      for (int n = 0; n < 6; n++) {
        table.touch("client:" + i);
      }
      fixture.ticker.advance(Duration.ofSeconds(1));
    }
    var out = new ByteArrayOutputStream();
    table.writeBlocksTo(out, TAKEN);
    HeavyHitters small = builder().maxBlocks(2).build();

    assertThat(small.restoreBlocks(in(out.toByteArray()), TAKEN)).isEqualTo(4);

    assertThat(small.check("client:4").refused()).isTrue();
    assertThat(small.check("client:2").refused()).isFalse();
    assertThat(small.find("client:4")).isEmpty();
  }

  private HeavyHittersBuilder builder() {
    return fixture.builder(100).distinct(DistinctSettings.DEFAULT).rule(FIVE_AT_ONCE);
  }

  private byte[] written() throws IOException {
    var out = new ByteArrayOutputStream();
    table.writeTo(out, TAKEN);
    return out.toByteArray();
  }

  private static HeavyHitters blocked(HeavyHitters table) {
    for (int i = 0; i < 6; i++) {
      table.touch("client", "/a");
    }
    return table;
  }

  private static ByteArrayInputStream in(byte[] bytes) {
    return new ByteArrayInputStream(bytes);
  }
}
