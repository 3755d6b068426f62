package io.heatshield.guard;

import io.heatshield.action.Savings;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.ring.HotRing;
import io.heatshield.testkit.time.FakeTicker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The fixture of the guard's tests: a context with a fake ticker, keys and rings. */
final class GuardSubject {
  static final Duration WINDOW = Duration.ofSeconds(2);

  private static final int SLOTS = 8;

  final FakeTicker ticker = new FakeTicker();
  final HashSecret secret = HashSecret.of(new byte[16]);
  final KeyHash hash = KeyHash.fast(secret);
  final Savings savings = new Savings();
  final FleetHotKeys fleet = new FleetHotKeys(hash);
  final List<String> warnings = new ArrayList<>();
  final GuardContext context =
      new GuardContext("test", secret, ticker::nanos, savings, fleet, warnings::add);

  HotRing ring() {
    return HotRing.builder()
        .bits(12)
        .window(SLOTS, WINDOW.dividedBy(SLOTS))
        .rotation(Duration.ofMinutes(30))
        .maxKeys(1000)
        .secret(secret)
        .ticker(ticker::nanos)
        .build();
  }

  BytesKey key(String text) {
    byte[] bytes = bytes(text);
    return new BytesKey(bytes, hash.hash(bytes));
  }

  long hash(String text) {
    return hash.hash(bytes(text));
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
