package io.heatshield.store.memory;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.store.engine.Batch;
import io.heatshield.store.engine.ScanPage;
import io.heatshield.store.engine.ScannedKey;
import io.heatshield.store.engine.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("threads")
class HashSegmentTest {
  private static final KeyHash HASH = KeyHash.fast(HashSecret.random());
  private final MemoryEngine engine = new MemoryEngine(1 << 30);

  @BeforeEach
  void hash() {
    engine.hashBy(HASH);
  }

  @Test
  void everyCall_ofARandomStream_equalsThatOfAMap() {
    long seed = System.nanoTime();
    var random = new SplittableRandom(seed);
    Map<String, String> model = new HashMap<>();

    for (int i = 0; i < 200_000; i++) {
      String key = "k" + random.nextInt(20_000);
      if (random.nextInt(3) == 0) {
        engine.apply(Batch.of(bytes(key), null)).toCompletableFuture().join();
        model.remove(key);
      } else {
        put(key, "v" + i);
        model.put(key, "v" + i);
      }
    }

    assertThat(engine.size().toCompletableFuture().join())
        .as("seed " + seed)
        .isEqualTo(model.size());
    model.forEach(
        (key, value) -> assertThat(find(key)).as("seed " + seed).isEqualTo(Value.of(value)));
    assertThat(scanned(1)).isEqualTo(model.keySet());
    model.keySet().forEach(key -> engine.apply(Batch.of(bytes(key), null)));
    assertThat(engine.bytes()).isZero();
  }

  @Test
  void hashes_thatAreEqual_keepTheKeysDistinct() {
    var segment = new HashSegment();

    segment.put(42, bytes("a"), Value.of("1"));
    segment.put(42, bytes("b"), Value.of("2"));
    segment.put(42, bytes("c"), Value.of("3"));
    segment.remove(42, bytes("b"));
    segment.remove(42, bytes("none"));

    assertThat(segment.find(42, bytes("b"))).isNull();
    assertThat(segment.find(42, bytes("a"))).isNotNull();
    assertThat(segment.find(42, bytes("c"))).isNotNull();
    assertThat(segment.size()).isEqualTo(2);
  }

  @Test
  void scan_whileTheTableGrows_missesNoExistingKey() {
    Set<String> before = new HashSet<>();
    for (int i = 0; i < 3_000; i++) {
      put("old" + i, "v");
      before.add("old" + i);
    }

    Set<String> told = new HashSet<>();
    int more = 0;
    long cursor = 0;
    do {
      ScanPage page = engine.scan(cursor, 10).toCompletableFuture().join();
      page.keys().forEach(found -> told.add(text(found)));
      assertThat(page.keys()).hasSizeLessThan(60);
      for (int i = 0; i < 100 && more < 20_000; i++) {
        put("new" + more++, "v");
      }
      cursor = page.cursor();
    } while (cursor != 0);

    assertThat(told).containsAll(before);
  }

  @Test
  void scan_fromAnUnknownCursor_ends() {
    put("k", "v");

    for (long cursor :
        new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE, 1, 1L << 34, (1L << 34) - 1}) {
      assertThat(engine.scan(cursor, 1000).toCompletableFuture().join().cursor())
          .as(Long.toString(cursor))
          .isZero();
    }
  }

  @Test
  void find_whileOthersPutAndTheTableGrows_findsEarlierKeys() {
    var stop = new AtomicBoolean();
    for (int i = 0; i < 500; i++) {
      put("kept" + i, "0");
    }
    var writers = new ArrayList<CompletableFuture<Void>>();
    for (int writer = 0; writer < 2; writer++) {
      String name = "w" + writer + ":";
      writers.add(
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; !stop.get() && i < 300_000; i++) {
                  put(name + i, "v");
                  assertThat(find(name + i)).isNotNull();
                }
              }));
    }

    var missing = new ArrayList<String>();
    for (int round = 0; round < 400; round++) {
      for (int i = 0; i < 500; i++) {
        put("kept" + i, Integer.toString(round));
        Value seen = find("kept" + i);
        if (seen == null || !seen.text().equals(Integer.toString(round))) {
          missing.add("kept" + i);
        }
      }
    }
    stop.set(true);
    writers.forEach(CompletableFuture::join);

    assertThat(missing).isEmpty();
  }

  @Test
  void overwrite_whileTheSegmentGrows_isNotLost() {
    byte[] key = bytes("kept");
    int lost = 0;

    for (int round = 0; round < 100; round++) {
      var segment = new HashSegment();
      segment.put(0, key, bytes("first"));
      var growth =
          CompletableFuture.runAsync(
              () -> {
                for (long i = 1; i <= 20_000; i++) {
                  segment.put(i * 0x9e3779b97f4a7c15L, key, key);
                }
              });
      while (!growth.isDone()) {
        byte[] content = new byte[1];
        HashSegment.@Nullable Entry[] chains = segment.chains();
        HashSegment.Entry held = requireNonNull(HashSegment.find(chains, 0, key));
        if (!segment.overwrite(chains, held, content)) {
          segment.put(0, key, content);
        }
        lost += requireNonNull(segment.find(0, key)).content() == content ? 0 : 1;
      }
      growth.join();
    }

    assertThat(lost).isZero();
  }

  @Test
  void expired_overManyCalls_returnsEveryExpiredKey() {
    for (int i = 0; i < 30_000; i++) {
      Value value = i % 3 == 0 ? Value.of("v").until(1000) : Value.of("v");
      engine.apply(Batch.of(bytes("k" + i), value)).toCompletableFuture().join();
    }

    Set<String> told = new HashSet<>();
    for (int call = 0; call < 10; call++) {
      engine
          .expired(1000, 100_000)
          .forEach(key -> told.add(new String(key, StandardCharsets.UTF_8)));
    }

    assertThat(told).hasSize(10_000);
  }

  private Set<String> scanned(int count) {
    Set<String> told = new HashSet<>();
    long cursor = 0;
    do {
      ScanPage page = engine.scan(cursor, count).toCompletableFuture().join();
      page.keys().forEach(found -> assertThat(told.add(text(found))).isTrue());
      cursor = page.cursor();
    } while (cursor != 0);
    return told;
  }

  private static String text(ScannedKey found) {
    return new String(found.key(), StandardCharsets.UTF_8);
  }

  private void put(String key, String value) {
    engine.put(bytes(key), HASH.hash(key), bytes(value), isNew -> {});
  }

  private @Nullable Value find(String key) {
    return engine.find(bytes(key), HASH.hash(key));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
