package io.heatshield.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class KeyTableTest {
  private final KeyHash hash = KeyHash.fast(HashSecret.of(new byte[16]));

  @Test
  void touch_manyKeys_countsAsAMapDoes() {
    var keys = new KeyTable(1 << 20);
    var model = new HashMap<Integer, Long>();
    var random = new SplittableRandom(7);

    for (int i = 0; i < 100_000; i++) {
      int rank = random.nextInt(1 + random.nextInt(20_000));
      int number = touch(keys, "key:" + rank);
      model.merge(rank, 1L, Long::sum);

      assertThat(keys.total(number)).isEqualTo(model.get(rank));
    }

    assertThat(keys.size()).isEqualTo(model.size());
    int best = keys.top(3)[0];
    assertThat(keys.total(best))
        .isEqualTo(model.values().stream().mapToLong(v -> v).max().orElse(0));
    assertThat(new String(text(keys, best), StandardCharsets.UTF_8)).startsWith("key:");
  }

  @Test
  void touch_keysBeyondTheLimit_areCountedTogether() {
    var keys = new KeyTable(2);

    touch(keys, "a");
    touch(keys, "b");
    int third = touch(keys, "c");
    touch(keys, "a");

    assertThat(third).isEqualTo(KeyTable.NONE);
    assertThat(keys.size()).isEqualTo(2);
    assertThat(keys.beyond()).isEqualTo(1);
    assertThat(keys.total(0)).isEqualTo(2);
  }

  @Test
  void text_ofALongKey_isItsBeginning() {
    var keys = new KeyTable(10);

    int number = touch(keys, "x".repeat(600));

    assertThat(text(keys, number)).hasSize(KeyTable.MAX_TEXT);
    assertThat(ReportFormat.key(keys, number)).endsWith("\\...");
  }

  private int touch(KeyTable keys, String key) {
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    return keys.touch(hash.hash(bytes), bytes, 0, bytes.length);
  }

  private static byte[] text(KeyTable keys, int number) {
    byte[] text = keys.text(number);
    assertThat(text).isNotNull();
    return text;
  }
}
