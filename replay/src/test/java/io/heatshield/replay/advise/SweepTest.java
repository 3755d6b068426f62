package io.heatshield.replay.advise;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.replay.Progress;
import io.heatshield.replay.trace.Trace;
import io.heatshield.replay.trace.TraceFormat;
import io.heatshield.replay.trace.TraceOptions;
import io.heatshield.testkit.keys.Zipf;
import io.heatshield.testkit.trace.Traces;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SweepTest {
  private static final long TEN_MILLIS = 10_000_000L;
  private static final TraceOptions KEYS = TraceOptions.defaults().withFormat(TraceFormat.KEYS);

  @ParameterizedTest
  @ValueSource(doubles = {0.8, 1.0, 1.3})
  void of_syntheticTraffic_predictsTheSecondHalf(double skew) throws IOException {
    Advice advice = advise(zipf(200_000, 20_000, skew)).orElseThrow();

    assertThat(advice.chosen().measured().savedShare()).isPositive();
    assertThat(advice.chosen().measured().recall()).isEqualTo(1);
    assertThat(advice.check().measured().recall()).isEqualTo(1);
    assertThat(advice.savingsOff()).isLessThanOrEqualTo(Advice.TOLERANCE);
    assertThat(String.join("\n", AdviceText.lines(advice)))
        .contains("recommended:", "Reason:", "predicted", "check:");
  }

  @ParameterizedTest
  @ValueSource(strings = "web07.keys.gz")
  void of_realTraffic_predictsTheSecondHalf(String name) throws IOException {
    Traces.openOrSkip(name).close();

    Advice advice;
    try (Trace trace = Trace.open(Traces.find(name).orElseThrow(), TraceOptions.defaults())) {
      Recording recording = Recording.of(trace, 5_000_000, Progress.NONE);
      advice = Sweep.of(recording, TEN_MILLIS, Progress.NONE).orElseThrow();
    }

    assertThat(advice.check().measured().recall()).isEqualTo(1);
    assertThat(advice.savingsOff()).isLessThanOrEqualTo(Advice.TOLERANCE);
  }

  @Test
  void of_trafficThatChanges_saysThatThePredictionDoesNotHold() throws IOException {
    var bytes = new ByteArrayOutputStream();
    bytes.write(zipf(60_000, 20_000, 1.2));
    bytes.write(zipf(60_000, 20_000, 0.5));

    Advice advice = advise(bytes.toByteArray()).orElseThrow();

    assertThat(advice.holds()).isFalse();
    assertThat(String.join("\n", AdviceText.lines(advice))).contains("does NOT hold");
  }

  @Test
  void of_emptyTraceOrOnlyNewKeys_isNothing() throws IOException {
    var bytes = new ByteArrayOutputStream();
    for (int i = 0; i < 10_000; i++) {
      bytes.write(Zipf.key(i));
      bytes.write('\n');
    }

    assertThat(advise(new byte[0])).isEmpty();
    assertThat(advise(bytes.toByteArray())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "1.9, 1", "2, 2", "4.9, 2", "7, 5", "99, 50", "100, 100", "2345, 2000"})
  void round_anyRate_isOneTwoOrFive(double rate, long expected) {
    assertThat(Sweep.round(rate)).isEqualTo(expected);
  }

  @Test
  void isSaved_callsWithinAWindow_allButOnePerBatch() {
    var coalescing = new Coalescing(100, 1);

    assertThat(coalescing.isSaved(0, 1_000)).as("first call of an idle key").isFalse();
    assertThat(coalescing.isSaved(0, 1_010)).as("first call of the next batch").isFalse();
    assertThat(coalescing.isSaved(0, 1_099)).as("joins the batch").isTrue();
    assertThat(coalescing.isSaved(0, 1_100)).as("the batch was sent").isFalse();
    assertThat(coalescing.isSaved(0, 1_150)).as("joins the next batch").isTrue();
    assertThat(coalescing.isSaved(0, 5_000)).as("the key is idle again").isFalse();
  }

  @Test
  void isSaved_fullBatches_oneIsSentEarlyAndTheRestWait() {
    var coalescing = new Coalescing(100, 1);
    int batch = Coalescing.MAX_BATCH;
    coalescing.isSaved(0, 1_000);

    assertThat(carried(coalescing, batch))
        .as("sent at once, after unused windows")
        .isEqualTo(batch - 1);
    assertThat(carried(coalescing, Coalescing.MAX_PENDING))
        .as("waits, beyond a full batch")
        .isEqualTo(Coalescing.MAX_PENDING - 1);
    assertThat(carried(coalescing, 5)).as("each calls by itself").isZero();
  }

  private static int carried(Coalescing coalescing, int calls) {
    int carried = 0;
    for (int i = 0; i < calls; i++) {
      carried += coalescing.isSaved(0, 1_001) ? 1 : 0;
    }
    return carried;
  }

  private static Optional<Advice> advise(byte[] bytes) throws IOException {
    try (Trace trace =
        Trace.open(new ByteArrayInputStream(bytes), bytes.length, KEYS.withRate(10_000))) {
      Recording recording = Recording.of(trace, 1_000_000, Progress.NONE);
      return Sweep.of(recording, TEN_MILLIS, Progress.NONE);
    }
  }

  private static byte[] zipf(int touches, int keys, double skew) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var source = new Zipf(keys, skew, 5);
    for (int i = 0; i < touches; i++) {
      bytes.write(source.nextKey());
      bytes.write('\n');
    }
    return bytes.toByteArray();
  }
}
