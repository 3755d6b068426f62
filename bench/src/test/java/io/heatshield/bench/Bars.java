package io.heatshield.bench;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** All bars, one list per structure. */
final class Bars {
  private static final String SKETCH = "CountMinSketchBenchmark.";
  private static final String DETECTOR = "HotKeyDetectorBenchmark.";
  private static final String RING = "HotRingBenchmark.";
  private static final String FILTER = "CuckooFilterBenchmark.";
  private static final String FILL = "CuckooFilterFillBenchmark.";
  private static final String CONTEST = "ContestTableBenchmark.";
  private static final String FEW_ARE_HOT = " threshold=400000";

  private static final List<Bar> OF_SKETCH =
      List.of(
          sketch("touchBytes/1", "rivalCaffeineBytes/1", 0.6, "shared sketch, bytes"),
          sketch("touchText/1", "rivalCaffeineText/1", 0.6, "shared sketch, text"),
          sketch("singleWriterBytes/1", "rivalCaffeineBytes/1", 0.6, "single writer, bytes"),
          sketch("singleWriterText/1", "rivalCaffeineText/1", 0.6, "single writer, text"),
          sketch("touchHash/2", "singleWriterHash/2", 1 / 0.65, "two threads: 0.65 of two private"),
          sketch("touchOneKey/2", "touchOneKey/1", 2, "two threads on one key: those of one"));

  private static final List<Bar> OF_DETECTOR =
      List.of(
          touch("touchBytes/1", "rivalItemsSketchBytes/1", 0.7, "touch, bytes, ItemsSketch"),
          touch("touchText/1", "rivalItemsSketchText/1", 0.7, "touch, text, ItemsSketch"),
          touch("touchBytes/1", "rivalMapBytes/1", 0.4, "touch, bytes, map of adders"),
          touch("touchText/1", "rivalMapText/1", 0.4, "touch, text, map of adders"),
          touch("touchText/1", "rivalStreamLibText/1", 0.15, "touch, text, stream-lib"),
          detector("touchBytes/2", "privateBytes/2", 1 / 0.65, "two threads: 0.65 of two private"),
          detector("touchOneKey/2", "touchOneKey/1", 2, "two threads on one key: those of one"));

  private static final List<Bar> OF_RING =
      List.of(
          ring("touchBytes/1", "rivalMapBytes/1", 1, "touch against a map of adders, bytes"),
          ring("touchWireText/1", "rivalMapWireText/1", 1, "touch against a map of adders, text"),
          ring("touchText/1", "rivalMapText/1", 1, "the same, text whose hash the map knows"),
          ring("touchBytes/2", "rivalMapBytes/2", 1, "the same by two threads, bytes"),
          ring("touchWireText/2", "rivalMapWireText/2", 1, "the same by two threads, text"),
          ring("touchText/2", "rivalMapText/2", 1, "two threads, text whose hash it knows"),
          ring("touchWindowBytes/1", "touchBytes/1", 1.5, "8-slot window against none, bytes"),
          ring("touchWindowText/1", "touchText/1", 1.5, "8-slot window against none, text"),
          ring("touchOneKey/2", "rivalAtomicLong/2", 1 / 0.9, "two threads on one key: 0.9x"));

  private static final List<Bar> OF_CLAMP =
      Stream.of(100, 1_000_000_000)
          .flatMap(
              limit ->
                  Stream.of("One", "Many")
                      .flatMap(
                          keys ->
                              Stream.of("Bucket4j", "Resilience4j", "Guava", "Sentinel")
                                  .map(rival -> clamp(keys, rival, limit))))
          .toList();

  private static final List<Bar> OF_FILTER =
      List.of(
          filter("containsPresent", "rivalFastfilterPresent", 0.6, "filter, present, fastfilter"),
          filter("containsAbsent", "rivalFastfilterAbsent", 0.6, "filter, absent, fastfilter"),
          filter("containsPresent", "rivalGuavaPresent", 0.1, "filter, present, Guava"),
          filter("containsAbsent", "rivalGuavaAbsent", 0.1, "filter, absent, Guava"),
          large("containsPresent", "pointerChase", 2, "10^8 keys, present: two misses"),
          large("containsAbsent", "pointerChase", 2, "10^8 keys, absent: two misses"),
          large("containsPresent", "rivalGuavaPresent", 1, "10^8 keys, present, Guava"),
          large("containsAbsent", "rivalGuavaAbsent", 1, "10^8 keys, absent, Guava"),
          new Bar(FILL + "add/1", FILL + "rivalGuavaPut/1", 1, "filter, fill to 95 %, Guava"));

  private static final List<Bar> OF_LIMIT =
      List.of(
          new Bar(
              "RateLimiterBenchmark.decide/1",
              "RateLimiterBenchmark.rivalCompute/1",
              10,
              "decision, one descriptor, against a map's compute"),
          new Bar(
              "RuleLookupBenchmark.find/1 rules=100000",
              "RuleLookupBenchmark.find/1 rules=1000",
              1.5,
              "100,000 rules against 1,000, a hundred of them asked"),
          new Bar(
              "RuleLookupBenchmark.findAnywhere/1 rules=100000",
              "RuleLookupBenchmark.findAnywhere/1 rules=1000",
              1.5,
              "100,000 rules against 1,000, a thousand of them asked"));

  private static final List<Bar> OF_CONTEST =
      List.of(
          contest("touch/1", "ringTouch/1", 1.5, "touch of a tracked key, HotRing"),
          contest("contest/1", "touch/1", 3, "contest at 4 probes, touch of a tracked key"),
          contest("touch/2", "touchOneLock/2", 1, "two threads: 16 stripes, one lock"),
          contest("touch/1", "rivalCaffeineTouch/1", 1, "touch, Caffeine cache of counters"),
          contest("contest/1", "rivalCaffeineNewcomer/1", 1, "newcomer, Caffeine cache"),
          contest("touchAndCharge/1", "rivalGuavaCharge/1", 1, "two rules, Guava RateLimiter"),
          contest("touchAndCharge/1", "rivalSentinelCharge/1", 1, "two rules, Sentinel"));

  /** All bars. */
  static final List<Bar> ALL =
      Stream.of(OF_SKETCH, OF_DETECTOR, OF_RING, OF_CLAMP, OF_FILTER, OF_LIMIT, OF_CONTEST)
          .flatMap(List::stream)
          .toList();

  /** Benchmarks that must allocate nothing. */
  static final List<String> ALLOCATE_NOTHING =
      List.of(
          "KeyHashBenchmark.fastBytes/1",
          "KeyHashBenchmark.fastDirectBuffer/1",
          "KeyHashBenchmark.fastAscii/1",
          "KeyHashBenchmark.fastAccented/1",
          "KeyHashBenchmark.sip13Bytes/1",
          "KeyHashBenchmark.sip13Ascii/1",
          SKETCH + "touchBytes/1",
          SKETCH + "touchText/1",
          SKETCH + "estimateHash/1",
          SKETCH + "singleWriterBytes/1",
          SKETCH + "singleWriterText/1",
          DETECTOR + "touchBytes/1" + FEW_ARE_HOT,
          DETECTOR + "touchText/1" + FEW_ARE_HOT,
          RING + "touchBytes/1",
          RING + "touchText/1",
          RING + "touchBuffer/1",
          RING + "touchDirectBuffer/1",
          RING + "touchWindowBytes/1",
          RING + "touchWindowText/1",
          RING + "countBytes/1",
          FILTER + "containsPresent/1",
          FILTER + "containsAbsent/1",
          FILTER + "deleteAndAdd/1",
          FILL + "add/1",
          CONTEST + "touch/1",
          CONTEST + "contest/1",
          CONTEST + "touchAndCharge/1",
          CONTEST + "touchAndAddDistinct/1");

  /** The maximum bytes per operation of benchmarks that must allocate. */
  static final Map<String, Integer> ALLOCATE_AT_MOST =
      Map.of(
          "RateLimiterBenchmark.decide/1", 600,
          "RuleLookupBenchmark.find/1 rules=100000", 32,
          "ClampBenchmark.clampOne/1", 32,
          "ClampBenchmark.clampOneText/1", 32,
          "ClampBenchmark.clampMany/1", 32,
          "ClampBenchmark.clampManyText/1", 32);

  private Bars() {}

  private static Bar sketch(String ours, String rival, double atMost, String says) {
    return new Bar(SKETCH + ours, SKETCH + rival, atMost, says);
  }

  private static Bar touch(String ours, String rival, double atMost, String says) {
    return new Bar(DETECTOR + ours + FEW_ARE_HOT, SKETCH + rival, atMost, says);
  }

  private static Bar detector(String ours, String other, double atMost, String says) {
    return new Bar(DETECTOR + ours + FEW_ARE_HOT, DETECTOR + other + FEW_ARE_HOT, atMost, says);
  }

  private static Bar ring(String ours, String rival, double atMost, String says) {
    return new Bar(RING + ours, RING + rival, atMost, says);
  }

  private static Bar contest(String ours, String other, double atMost, String says) {
    return new Bar(CONTEST + ours, CONTEST + other, atMost, says);
  }

  private static Bar clamp(String keys, String rival, int limit) {
    String parameters = " limit=" + limit;
    return new Bar(
        "ClampBenchmark.clamp" + keys + "/1" + parameters,
        "ClampBenchmark.rival" + rival + keys + "/1" + parameters,
        0.25,
        "clamp against " + rival + ", " + keys.toLowerCase(Locale.ROOT) + ", " + limit);
  }

  private static Bar filter(String ours, String rival, double atMost, String says) {
    return filter(1_000_000, ours, rival, atMost, says);
  }

  private static Bar large(String ours, String rival, double atMost, String says) {
    return filter(100_000_000, ours, rival, atMost, says);
  }

  private static Bar filter(int keys, String ours, String rival, double atMost, String says) {
    String of = "/1 keys=" + keys;
    return new Bar(FILTER + ours + of, FILTER + rival + of, atMost, says);
  }
}
