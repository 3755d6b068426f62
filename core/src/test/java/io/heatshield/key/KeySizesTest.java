package io.heatshield.key;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.heatshield.contest.HeavyHitters;
import io.heatshield.contest.KeyScore;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.filter.AddResult;
import io.heatshield.filter.CuckooFilter;
import io.heatshield.filter.RemoveResult;
import io.heatshield.hash.HashSecret;
import io.heatshield.ring.HotRing;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every structure distinguishes keys of unusual lengths and bytes. */
class KeySizesTest {
  private static final int[] LENGTHS = {0, 1, 2, 7, 8, 31, 32, 33, 511, 512, 513, 65_535, 65_536};

  private final List<byte[]> keys = keys();

  @Test
  void ring_keysThatDifferInAByteOrLength_countsThemSeparately() {
    HotRing ring = HotRing.builder().secret(HashSecret.of(new byte[32])).build();

    for (int i = 0; i < keys.size(); i++) {
      for (int n = 0; n <= i % 3; n++) {
        ring.touch(keys.get(i));
        ring.touch(direct(keys.get(i)));
      }
    }

    for (int i = 0; i < keys.size(); i++) {
      assertThat(ring.count(keys.get(i))).as("key %d", i).isEqualTo(2L * (1 + i % 3));
      assertThat(ring.remove(direct(keys.get(i)))).isEqualTo(2L * (1 + i % 3));
    }
    assertThat(ring.stats().size()).isZero();
  }

  @Test
  void detector_keysThatDifferInAByteOrLength_countsThemSeparately() {
    var detector = HotKeyDetector.builder().width(1 << 16).build();

    for (int i = 0; i < keys.size(); i++) {
      detector.touch(keys.get(i), 10 + i);
      detector.touch(direct(keys.get(i)), 10 + i);
    }

    for (int i = 0; i < keys.size(); i++) {
      assertThat(detector.estimate(keys.get(i)).touches()).as("key %d", i).isEqualTo(20 + 2L * i);
    }
  }

  @Test
  void filter_keysThatDifferInAByteOrLength_addsAndDeletesThemSeparately() {
    CuckooFilter filter = CuckooFilter.builder().expectedItems(1_000).fingerprintBits(32).build();

    for (byte[] key : keys) {
      assertThat(filter.mightContain(key)).isFalse();
      assertThat(filter.add(key)).isEqualTo(AddResult.ADDED);
      assertThat(filter.mightContain(direct(key))).isTrue();
    }

    for (byte[] key : keys) {
      assertThat(filter.remove(direct(key), () -> true)).isEqualTo(RemoveResult.REMOVED);
      assertThat(filter.mightContain(key)).isFalse();
    }
    assertThat(filter.size()).isZero();
  }

  @Test
  void table_keysThatDifferInAByteOrLength_tracksThemSeparately() {
    HeavyHitters table = HeavyHitters.builder().maxKeys(1_000).build();

    for (byte[] key : keys) {
      assertThat(table.touch(key).counted()).isTrue();
    }

    assertThat(table.stats().keys().size()).isEqualTo(keys.size());
    for (byte[] key : keys) {
      KeyScore entry = table.find(direct(key)).orElseThrow();
      assertThat(entry.score()).isCloseTo(1, within(0.01));
      assertThat(entry.length()).isEqualTo(key.length);
      assertThat(entry.key()).isEqualTo(Arrays.copyOf(key, Math.min(512, key.length)));
    }
  }

  @Test
  void ring_textInAnotherEncoding_isAnotherKey() {
    HotRing ring = HotRing.builder().build();

    ring.touch("grüße");
    ring.touch("grüße".getBytes(ISO_8859_1));
    ring.touch("\ud800");

    assertThat(ring.count("grüße".getBytes(UTF_8))).isEqualTo(1);
    assertThat(ring.count("?")).as("an unpaired surrogate is encoded as ?").isEqualTo(1);
    assertThat(ring.stats().size()).isEqualTo(3);
  }

  /** Returns zeros of all lengths, the same with another last byte, and malformed UTF-8. */
  private static List<byte[]> keys() {
    var keys = new ArrayList<byte[]>();
    for (int length : LENGTHS) {
      keys.add(new byte[length]);
      if (length > 0) {
        byte[] other = new byte[length];
        other[length - 1] = (byte) 0xff;
        keys.add(other);
      }
    }
    keys.add(new byte[] {(byte) 0xc0, (byte) 0x80});
    keys.add(new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80});
    keys.add(new byte[] {(byte) 0xf5, (byte) 0x80, (byte) 0x80, (byte) 0x80});
    keys.add(new byte[] {'a', 0, 'b'});
    keys.add(new byte[] {'a', 0});
    return keys;
  }

  private static ByteBuffer direct(byte[] key) {
    return ByteBuffer.allocateDirect(key.length).put(key).flip();
  }
}
