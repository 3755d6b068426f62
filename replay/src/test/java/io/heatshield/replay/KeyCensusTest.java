package io.heatshield.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class KeyCensusTest {
  private final KeyHash hash = KeyHash.fast(HashSecret.of(new byte[16]));

  @Test
  void touch_manyKeys_countsAsAMapDoes() {
    var census = new KeyCensus(1 << 20);
    var model = new HashMap<Integer, Long>();
    var random = new SplittableRandom(7);

    for (int i = 0; i < 100_000; i++) {
      int rank = random.nextInt(1 + random.nextInt(20_000));
      int number = touch(census, "key:" + rank);
      model.merge(rank, 1L, Long::sum);

      assertThat(census.total(number)).isEqualTo(model.get(rank));
    }

    assertThat(census.size()).isEqualTo(model.size());
    int best = census.top(3)[0];
    assertThat(census.total(best))
        .isEqualTo(model.values().stream().mapToLong(v -> v).max().orElse(0));
    assertThat(new String(text(census, best), StandardCharsets.UTF_8)).startsWith("key:");
  }

  @Test
  void touch_keysBeyondTheLimit_areCountedTogether() {
    var census = new KeyCensus(2);

    touch(census, "a");
    touch(census, "b");
    int third = touch(census, "c");
    touch(census, "a");

    assertThat(third).isEqualTo(KeyCensus.NONE);
    assertThat(census.size()).isEqualTo(2);
    assertThat(census.beyond()).isEqualTo(1);
    assertThat(census.total(0)).isEqualTo(2);
  }

  @Test
  void text_ofALongKey_isItsBeginning() {
    var census = new KeyCensus(10);

    int number = touch(census, "x".repeat(600));

    assertThat(text(census, number)).hasSize(KeyCensus.MAX_TEXT);
    assertThat(Shown.key(census, number)).endsWith("\\...");
  }

  private int touch(KeyCensus census, String key) {
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    return census.touch(hash.hash(bytes), bytes, 0, bytes.length);
  }

  private static byte[] text(KeyCensus census, int number) {
    byte[] text = census.text(number);
    assertThat(text).isNotNull();
    return text;
  }
}
