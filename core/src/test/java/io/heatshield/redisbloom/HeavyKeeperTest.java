package io.heatshield.redisbloom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.hash.HashSecret;
import io.heatshield.snapshot.InvalidSnapshotException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HeavyKeeperTest {
  @Test
  void list_itemsFitIntoMemory_equalsAnExactModel() {
    HeavyKeeper top = HeavyKeeper.create(10, 50, 4, 0.9);
    Map<String, Long> model = new HashMap<>();
    var random = new SplittableRandom(7);

    for (int i = 0; i < 5000; i++) {
      String item = "i" + (int) (60 * Math.pow(random.nextDouble(), 3));
      long by = random.nextInt(4);
      model.merge(item, by, Long::sum);
      top.add(bytes(item), by, more -> true);
    }

    model.forEach((item, count) -> assertThat(top.count(top.hash(bytes(item)))).isEqualTo(count));
    List<Long> largest =
        model.values().stream().sorted((a, b) -> Long.compare(b, a)).limit(10).toList();
    assertThat(top.list()).extracting(HeavyKeeper.Listed::count).isEqualTo(largest);
  }

  @Test
  void list_farMoreItemsThanCells_containsTheHeavyItems() throws InvalidSnapshotException {
    HeavyKeeper top = HeavyKeeper.create(20, 200, 5, 0.9);
    var random = new SplittableRandom(11);

    for (int i = 0; i < 200_000; i++) {
      boolean heavy = random.nextInt(4) == 0;
      String item = heavy ? "heavy" + random.nextInt(20) : "light" + random.nextInt(100_000);
      top.add(bytes(item), 1, more -> true);
    }
    HeavyKeeper read = HeavyKeeper.read(top.toBytes(), bytes -> true);

    assertThat(top.list()).hasSize(20);
    assertThat(top.list())
        .allSatisfy(
            listed -> {
              assertThat(new String(listed.item(), StandardCharsets.UTF_8)).startsWith("heavy");
              assertThat(listed.count()).isBetween(2000L, 3000L);
            });
    assertThat(read.toBytes()).isEqualTo(top.toBytes());
    assertThat(read.bytes()).isEqualTo(top.bytes());
    assertThat(read.add(bytes("one more"), 100_000, more -> true)).isNotNull();
    assertThat(top.contains(top.hash(bytes("one more")))).isFalse();
  }

  @Test
  void add_itemWithoutMemoryForIt_isCountedButNotListed() {
    HeavyKeeper top = HeavyKeeper.create(1, 8, 7, 0.9);

    assertThat(top.add(bytes("large"), 5, more -> false)).isNull();

    assertThat(top.list()).isEmpty();
    assertThat(top.count(top.hash(bytes("large")))).isEqualTo(5);
  }

  @Test
  void read_truncatedOrFlippedForm_throws() throws InvalidSnapshotException {
    HeavyKeeper top = HeavyKeeper.create(3, 4, 2, 0.9);
    CountMin sketch = CountMin.create(HashSecret.of(new byte[16]), 9, 2);
    for (int i = 0; i < 30; i++) {
      top.add(bytes("i" + i), i, more -> true);
      sketch.add(sketch.hash(bytes("i" + i)), i);
    }

    for (byte[] broken : LayeredCuckooTest.broken(top.toBytes())) {
      assertThatThrownBy(() -> HeavyKeeper.read(broken, bytes -> true))
          .isInstanceOf(InvalidSnapshotException.class);
    }
    for (byte[] broken : LayeredCuckooTest.broken(sketch.toBytes())) {
      assertThatThrownBy(() -> CountMin.read(broken, bytes -> true))
          .isInstanceOf(InvalidSnapshotException.class);
    }
    assertThat(CountMin.read(sketch.toBytes(), bytes -> true).toBytes())
        .isEqualTo(sketch.toBytes());
    assertThat(StructureKind.read((byte) 9, sketch.toBytes(), 1 << 20)).isNull();
    assertThat(StructureKind.read((byte) 2, sketch.toBytes(), 1 << 20))
        .isInstanceOf(CountMin.class);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
