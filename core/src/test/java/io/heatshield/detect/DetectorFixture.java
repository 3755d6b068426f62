package io.heatshield.detect;

import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A detector with a fake ticker and a listener that records its events. */
final class DetectorFixture {
  final FakeTicker ticker = new FakeTicker();
  final List<String> events = new CopyOnWriteArrayList<>();
  final KeyHash hash = KeyHash.fast(HashSecret.of(new byte[32]));
  final HotKeyDetector detector;

  DetectorFixture(DetectorSettings settings) {
    detector = new HotKeyDetector(settings, hash, ticker::nanos, new Recorder());
  }

  /** Returns settings of 10 touches per second over 10 s in one stripe: hot at 100 touches. */
  static DetectorSettings.Builder settings() {
    return DetectorSettings.builder().window(Duration.ofSeconds(10)).threshold(10).stripes(1);
  }

  Verdict touch(String key, int times) {
    Verdict verdict = Verdict.COOL;
    for (int i = 0; i < times; i++) {
      verdict = detector.touch(key);
    }
    return verdict;
  }

  void pass(Duration step) {
    ticker.advance(step);
  }

  void passSeconds(double seconds) {
    ticker.advanceNanos((long) (seconds * 1e9));
  }

  private final class Recorder implements HotKeyListener {
    @Override
    public void turnedHot(KeyReport key) {
      events.add("hot " + key.key());
    }

    @Override
    public void cooled(KeyReport key) {
      events.add("cool " + key.key());
    }
  }
}
