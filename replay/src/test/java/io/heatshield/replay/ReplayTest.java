package io.heatshield.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heatshield.detect.DetectorSettings;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.hash.HashSecret;
import io.heatshield.replay.trace.Trace;
import io.heatshield.replay.trace.TraceFormat;
import io.heatshield.replay.trace.TraceOptions;
import io.heatshield.testkit.keys.NastyKey;
import io.heatshield.testkit.keys.NastyKeys;
import io.heatshield.testkit.keys.Zipf;
import io.heatshield.testkit.trace.TraceReader;
import io.heatshield.testkit.trace.Traces;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayTest {
  private static final TraceOptions KEYS = TraceOptions.defaults().withFormat(TraceFormat.KEYS);

  @Test
  void run_theExtract_findsEveryKeyThatABruteForceCountFinds() throws IOException {
    byte[] keys = extract();

    ReplayReport report = run(keys, KEYS.withRate(1_000), settings(5, 4), 1_000_000);

    Set<String> hot = bruteForce(keys, 1_000, 5_000, 20);
    assertThat(hot).hasSizeGreaterThan(10);
    assertThat(report.actual()).isEqualTo(hot.size());
    assertThat(report.hotKeys().stream().filter(key -> key.firstMillis() != null).map(HotKey::key))
        .containsExactlyInAnyOrderElementsOf(hot);
    assertThat(report.recall()).isEqualTo(1);
    assertThat(report.delays()).allMatch(delay -> delay <= 0);
    assertThat(report.errors().below()).isZero();
    assertThat(report.errors().compared()).isGreaterThan(1_000);
    assertThat(report.errors().max()).isLessThanOrEqualTo(report.errors().maxBound());
  }

  @ParameterizedTest
  @ValueSource(strings = {"web07.keys.gz", "orm-busy.keys.xz"})
  void run_wholeTraces_missNothingAndStayWithinTheBound(String name) throws IOException {
    Traces.openOrSkip(name).close();

    ReplayReport report;
    try (Trace trace = Trace.open(Traces.find(name).orElseThrow(), TraceOptions.defaults())) {
      report = run(trace, settings(1, 20), 1_000_000);
    }

    assertThat(report.actual()).isGreaterThan(50);
    assertThat(report.recall()).isEqualTo(1);
    assertThat(report.errors().below()).isZero();
    double within = (double) report.errors().withinBound() / report.errors().compared();
    assertThat(within).isGreaterThan(1 - Math.exp(-4));
  }

  @Test
  void run_moreKeysThanTheLimit_reportsWhatIsNotExact() throws IOException {
    byte[] keys = zipf(20_000, 5_000);

    ReplayReport report = run(keys, KEYS, settings(1, 50), 100);

    assertThat(report.distinct()).isEqualTo(100);
    assertThat(report.beyond()).isPositive();
    assertThat(text(report)).contains("for the first 100 keys only");
  }

  @Test
  void run_emptyTrace_isZeroesWithoutNaN() throws IOException {
    ReplayReport report = run(new byte[0], TraceOptions.defaults(), settings(60, 100), 10);

    assertThat(report.trace().stats().touches()).isZero();
    assertThat(text(report) + ReplayPage.of(report, "empty", 1, 10))
        .doesNotContain("NaN")
        .doesNotContain("Infinity");
  }

  @Test
  void run_windowOfOddLength_isRefused() {
    assertThatThrownBy(() -> run(new byte[0], KEYS, settings(7_200, 1), 10))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at most 1h");
  }

  @Test
  void reports_nastyKeys_showOnlyEscapedText() throws IOException {
    var bytes = new ByteArrayOutputStream();
    for (NastyKey nasty : NastyKeys.all()) {
      String key = new String(nasty.bytes(), StandardCharsets.ISO_8859_1);
      if (nasty.bytes().length < 1_000 && !key.contains("\n") && !key.endsWith("\r")) {
        for (int i = 0; i < 60; i++) {
          bytes.write(nasty.bytes());
          bytes.write('\n');
        }
      }
    }

    ReplayReport report = run(bytes.toByteArray(), KEYS, settings(1, 20), 10_000);

    assertThat(report.hotKeys()).hasSizeGreaterThan(20);
    String page = ReplayPage.of(report, "<nasty>", 1, 1_000);
    String body = page.substring(page.indexOf("<body>"));
    assertThat(
            body.replaceAll("</?(body|h1|h2|pre|svg|text|line|polyline|rect|html)\\b[^<>]*>", ""))
        .doesNotContain("<")
        .doesNotContain(">")
        .contains("&lt;nasty&gt;");
    assertThat(page).doesNotContain("<script").doesNotContain("<img");
    for (String sink : new String[] {page, text(report)}) {
      assertThat(sink.chars().filter(c -> c != '\n').anyMatch(Character::isISOControl)).isFalse();
    }
  }

  private static byte[] extract() throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (TraceReader reader = Traces.openExtract()) {
      for (byte[] key = reader.next(); key != null; key = reader.next()) {
        bytes.write(key);
        bytes.write('\n');
      }
    }
    return bytes.toByteArray();
  }

  private static byte[] zipf(int touches, int keys) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var source = new Zipf(keys, 1, 3);
    for (int i = 0; i < touches; i++) {
      bytes.write(source.nextKey());
      bytes.write('\n');
    }
    return bytes.toByteArray();
  }

  /**
   * Returns the keys that occur at least {@code hotAt} times in some window of the given length.
   */
  private static Set<String> bruteForce(byte[] keys, int rate, long window, int hotAt) {
    var times = new HashMap<String, ArrayDeque<Long>>();
    var hot = new HashSet<String>();
    String[] lines = new String(keys, StandardCharsets.UTF_8).split("\n", -1);
    for (int i = 0; i < lines.length; i++) {
      long millis = i * 1_000L / rate;
      var own = times.computeIfAbsent(lines[i], key -> new ArrayDeque<>());
      own.add(millis);
      while (own.element() < millis - window) {
        own.remove();
      }
      if (own.size() >= hotAt) {
        hot.add(lines[i]);
      }
    }
    return hot;
  }

  private static DetectorSettings settings(int seconds, long threshold) {
    return HotKeyDetector.builder()
        .window(Duration.ofSeconds(seconds))
        .threshold(threshold)
        .toSettings();
  }

  private static ReplayReport run(
      byte[] bytes, TraceOptions options, DetectorSettings settings, int limit) throws IOException {
    try (Trace trace = Trace.open(new ByteArrayInputStream(bytes), bytes.length, options)) {
      return run(trace, settings, limit);
    }
  }

  private static ReplayReport run(Trace trace, DetectorSettings settings, int limit)
      throws IOException {
    return Replay.run(
        trace, settings, limit, 10, HashSecret.of(new byte[16]), System::nanoTime, Progress.NONE);
  }

  private static String text(ReplayReport report) {
    return String.join("\n", ReplayText.lines(report, "name", 10_000, 1_000));
  }
}
