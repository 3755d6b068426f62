package io.heatshield.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.store.GuardedStore;
import io.heatshield.store.StoreOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DamagedBlockTest {
  @Test
  void rebuild_overADamagedBlock_isNotTrusted(@TempDir Path folder) throws Exception {
    RocksOptions options = RocksOptions.in(folder.resolve("data"));
    var random = new Random(1);
    try (RocksEngine engine = RocksEngine.open(options)) {
      GuardedStore store =
          GuardedStore.over(engine)
              .options(StoreOptions.of("s").unguarded())
              .withoutUpkeep()
              .build();
      for (int i = 0; i < 5000; i++) {
        byte[] value = new byte[200];
        random.nextBytes(value);
        store.put(key(i), value).toCompletableFuture().join();
      }
      engine.compact();
      store.close();
    }
    List<Path> files;
    try (var all = Files.walk(folder)) {
      files = all.filter(f -> f.toString().endsWith(".sst")).toList();
    }
    Path big = files.get(0);
    for (Path f : files) {
      big = Files.size(f) > Files.size(big) ? f : big;
    }
    byte[] bytes = Files.readAllBytes(big);
    bytes[bytes.length / 2] ^= 0x55;
    Files.write(big, bytes);

    GuardedStore store =
        GuardedStore.over(RocksEngine.open(options))
            .options(StoreOptions.of("s"))
            .withoutUpkeep()
            .build();
    store.maintain();

    int absent = 0;
    int failed = 0;
    for (int i = 0; i < 5000; i++) {
      try {
        if (store.get(key(i)).toCompletableFuture().join() == null) {
          absent++;
        }
      } catch (RuntimeException e) {
        failed++;
      }
    }
    boolean scanFails = store.scan(0, 10_000).toCompletableFuture().isCompletedExceptionally();
    boolean trusted = store.filter().orElseThrow().complete();
    store.close();
    assertThat(absent).as("said absent; failed %d, trusted %s", failed, trusted).isZero();
    assertThat(trusted).isFalse();
    assertThat(scanFails).isTrue();
    assertThat(failed).isBetween(1, 100);
  }

  private static byte[] key(int i) {
    return ("k" + (1_000_000 + i)).getBytes(StandardCharsets.UTF_8);
  }
}
