package io.heatshield.rocksdb;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.store.engine.Batch;
import io.heatshield.store.engine.KeyRouting;
import io.heatshield.store.engine.StoreException;
import io.heatshield.store.engine.Value;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DamagedHotSideTest {
  @Test
  void open_overADamagedBlock_saysThatItIsDamagedAndNotInUse(@TempDir Path folder)
      throws Exception {
    RocksOptions options = RocksOptions.in(folder.resolve("data"));
    fillHotSide(options);
    damage(folder);

    assertThatThrownBy(() -> RocksEngine.open(options))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("damaged")
        .hasMessageNotContaining("in use");
  }

  private static void fillHotSide(RocksOptions options) {
    var random = new Random(1);
    try (RocksEngine engine = RocksEngine.open(options)) {
      for (int i = 0; i < 5000; i++) {
        byte[] value = new byte[200];
        random.nextBytes(value);
        byte[] key = ("k" + (1_000_000 + i)).getBytes(StandardCharsets.UTF_8);
        var change = KeyRouting.change(key, Value.of(value), true);
        engine.apply(new Batch(List.of(change), List.of())).toCompletableFuture().join();
      }
      engine.compact();
    }
  }

  private static void damage(Path folder) throws Exception {
    Path largest;
    try (var all = Files.walk(folder)) {
      largest =
          all.filter(file -> file.toString().endsWith(".sst"))
              .max(Comparator.comparingLong(file -> file.toFile().length()))
              .orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(largest);
    bytes[bytes.length / 2] ^= 0x55;
    Files.write(largest, bytes);
  }
}
