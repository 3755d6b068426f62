package io.heatshield.detect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import org.junit.jupiter.api.Test;

class HotKeyDetectorKeysTest {
  private final DetectorFixture world = new DetectorFixture();
  private final HotKeyDetector detector = world.detector;

  @Test
  void touch_number_isTheKeyOfItsDigits() {
    detector.touch(42L);
    detector.touch(42L, 98);
    detector.touch("42");

    assertThat(detector.estimate(42L).touches()).isEqualTo(100);
    assertThat(detector.estimate(42L)).isEqualTo(detector.estimate("42"));
    assertThat(detector.explain(42L)).isEqualTo(detector.explain("42"));
    assertThat(world.events).containsExactly("hot 42");
  }

  @Test
  void touch_numbersThatFillTheTable_areNeverMissed() {
    for (long user = 0; user < 1_000; user++) {
      detector.touch(user, 2);
    }

    Verdict verdict = detector.touch(-7, 100);

    assertThat(verdict.isHot()).isTrue();
    assertThat(detector.top(1).get(0).key()).hasToString("-7");
    assertThat(detector.estimate(999).touches()).isEqualTo(2);
  }

  @Test
  void estimateAndExplain_everyForm_findTheSameKey() {
    byte[] bytes = "a:1".getBytes(UTF_8);
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    detector.touch(buffer, 3);

    assertThat(detector.estimate(bytes).touches()).isEqualTo(3);
    assertThat(detector.estimate(buffer)).isEqualTo(detector.estimate(bytes));
    assertThat(detector.estimate(CharBuffer.wrap("a:1"))).isEqualTo(detector.estimate(bytes));
    assertThat(detector.explain(buffer)).isPresent().isEqualTo(detector.explain(bytes));
    assertThat(detector.explain("a:1")).isEqualTo(detector.explain(bytes));
    assertThat(buffer.remaining()).isEqualTo(3);
  }

  @Test
  void hashed_sameFunctionAndSecret_isTheSameDetectorByHash() {
    HashedHotKeyDetector hashed = detector.hashed(world.hash);
    long hash = world.hash.hash("a");

    Verdict verdict = hashed.touch(hash, "a".getBytes(UTF_8), 100);

    assertThat(verdict.isHot()).isTrue();
    assertThat(hashed.touch(hash, ByteBuffer.wrap("a".getBytes(UTF_8)), 0).isHot()).isTrue();
    assertThat(hashed.estimate(hash)).isEqualTo(detector.estimate("a"));
    assertThat(hashed.explain(hash)).isPresent().isEqualTo(detector.explain("a"));
    assertThat(hashed.detector()).isSameAs(detector);
  }

  @Test
  void hashed_otherSecretOrFunction_throws() {
    HashSecret secret = HashSecret.of(new byte[32]);

    assertThatThrownBy(() -> detector.hashed(KeyHash.fast(HashSecret.random())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("hash must be of the same function and secret");
    assertThatThrownBy(() -> detector.hashed(KeyHash.second(secret)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(detector.hashed(KeyHash.fast(secret)).detector()).isSameAs(detector);
  }

  @Test
  void build_withoutASecret_hashesDifferentlyEachTime() {
    HotKeyDetector one = HotKeyDetector.builder().build();
    HotKeyDetector other = HotKeyDetector.builder().build();

    assertThat(one.keyHash().fingerprint()).isNotEqualTo(other.keyHash().fingerprint());
  }

  @Test
  void top_negativeNumber_throws() {
    assertThatThrownBy(() -> detector.top(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("n must not be negative: -1");
  }
}
