package io.heatshield.bench;

import io.heatshield.hash.HashSecret;
import io.heatshield.redisbloom.CountMin;
import io.heatshield.redisbloom.CuckooShape;
import io.heatshield.redisbloom.HeavyKeeper;
import io.heatshield.redisbloom.LayeredCuckoo;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Prints accuracy and memory of the structures behind CF, CMS and TOPK, with the parameters for
 * which RedisBloom documents figures. It is a program that runs once.
 */
final class NamedSketchesBenchmark {
  private static final int ITEMS = 1_000_000;
  private static final int PROBES = 10_000_000;
  private static final int PLACES = 100;

  private NamedSketchesBenchmark() {}

  /** Takes nothing. */
  public static void main(String[] args) {
    cuckoo(ITEMS, 0, ITEMS);
    cuckoo(ITEMS, 1, ITEMS);
    cuckoo(1024, 1, ITEMS);
    cuckoo(1024, 2, ITEMS);
    cuckoo(1024, 1, 30 * ITEMS);
    var stream = new ZipfKeys();
    Map<String, Long> truth = new HashMap<>();
    for (String item : stream.texts) {
      truth.merge(item, 1L, Long::sum);
    }
    print("stream: %d touches of %d items", stream.texts.length, truth.size());
    countMin(stream, truth);
    top(stream, truth, 8, 7);
    top(stream, truth, 1000, 5);
    top(stream, truth, 2000, 7);
  }

  private static void cuckoo(int capacity, int expansion, int items) {
    LayeredCuckoo filter = LayeredCuckoo.create(new CuckooShape(capacity, 2, 20, expansion));
    for (int i = 0; i < items; i++) {
      filter.add(filter.hash(bytes("in:" + i)), false, more -> true);
    }
    long wrong = 0;
    for (int i = 0; i < PROBES; i++) {
      wrong += filter.contains(filter.hash(bytes("out:" + i))) ? 1 : 0;
    }
    print(
        "CF capacity %d, expansion %d, %d items: %d tables, %.3f bytes an item, false positives"
            + " %.7f",
        capacity,
        expansion,
        items,
        filter.layers(),
        (double) filter.bytes() / items,
        (double) wrong / PROBES);
  }

  private static void countMin(ZipfKeys stream, Map<String, Long> truth) {
    CountMin sketch = CountMin.create(HashSecret.of(new byte[16]), 2000, 10);
    for (byte[] item : stream.bytes) {
      sketch.add(sketch.hash(item), 1);
    }
    double bound = 2.0 * stream.bytes.length / 2000;
    long past = 0;
    long below = 0;
    double sum = 0;
    for (Map.Entry<String, Long> entry : truth.entrySet()) {
      long error = sketch.query(sketch.hash(bytes(entry.getKey()))) - entry.getValue();
      past += error > bound ? 1 : 0;
      below += error < 0 ? 1 : 0;
      sum += error;
    }
    print(
        "CMS 2000 x 10: %d bytes, mean error %.1f, %d of %d past %.0f, %d below the truth",
        sketch.bytes(), sum / truth.size(), past, truth.size(), bound, below);
  }

  private static void top(ZipfKeys stream, Map<String, Long> truth, int width, int depth) {
    HeavyKeeper top = HeavyKeeper.create(PLACES, width, depth, 0.9);
    for (byte[] item : stream.bytes) {
      top.add(item, 1, more -> true);
    }
    List<Map.Entry<String, Long>> exact = new ArrayList<>(truth.entrySet());
    exact.sort(Map.Entry.<String, Long>comparingByValue().reversed());
    long least = exact.get(PLACES - 1).getValue();
    Set<String> heavy = new HashSet<>();
    exact.stream().filter(entry -> entry.getValue() >= least).forEach(e -> heavy.add(e.getKey()));
    double error = 0;
    int hits = 0;
    for (HeavyKeeper.Listed listed : top.list()) {
      String item = new String(listed.item(), StandardCharsets.US_ASCII);
      if (heavy.contains(item)) {
        hits++;
        long count = truth.getOrDefault(item, 0L);
        error += Math.abs(listed.count() - count) / (double) count;
      }
    }
    print(
        "TOPK k 100, %d x %d: %d bytes, %d of 100 found, their mean error %.4f %%",
        width, depth, top.bytes(), hits, 100 * error / Math.max(1, hits));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static void print(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }
}
