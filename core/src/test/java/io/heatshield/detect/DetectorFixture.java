package io.heatshield.detect;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A detector with a fake ticker and a listener that records its events. */
final class DetectorFixture {
  private static final HashSecret SECRET = HashSecret.of(new byte[32]);

  final FakeTicker ticker = new FakeTicker();
  final List<String> events = new CopyOnWriteArrayList<>();
  final List<KeyReport> reports = new CopyOnWriteArrayList<>();
  final KeyHash hash = KeyHash.fast(SECRET);
  final HotKeyDetector detector;

  /** Creates a detector that is hot at 100 touches in 10 s, with one stripe. */
  DetectorFixture() {
    this(settings());
  }

  DetectorFixture(HotKeyDetectorBuilder builder) {
    detector =
        builder
            .secret(SECRET)
            .ticker(ticker::nanos)
            .onHot(key -> record("hot ", key))
            .onCool(key -> record("cool ", key))
            .build();
  }

  /** Returns a builder of 10 touches per second over 10 s in one stripe: hot at 100 touches. */
  static HotKeyDetectorBuilder settings() {
    return HotKeyDetector.builder().window(Duration.ofSeconds(10)).threshold(10).stripes(1);
  }

  Verdict touch(String key, int times) {
    Verdict verdict = Verdict.COOL;
    for (int i = 0; i < times; i++) {
      verdict = detector.touch(key);
    }
    return verdict;
  }

  private void record(String event, KeyReport key) {
    events.add(event + key.key());
    reports.add(key);
  }

  void pass(Duration step) {
    ticker.advance(step);
  }

  void passSeconds(double seconds) {
    ticker.advanceNanos((long) (seconds * 1e9));
  }
}
