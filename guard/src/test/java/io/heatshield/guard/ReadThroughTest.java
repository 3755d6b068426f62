package io.heatshield.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.action.Mode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReadThroughTest {
  private static final Duration MAX_AGE = Duration.ofSeconds(15);

  private final GuardSubject subject = new GuardSubject();
  private final BytesKey key = subject.key("k");
  private int calls;

  @Test
  void get_fromTheThresholdOn_doesNotCallTheBackend() {
    ReadThrough<BytesKey, String> reads = reads(Mode.ENFORCE, MAX_AGE);

    for (int i = 0; i < 100; i++) {
      assertThat(text(reads.get(key, backend("v")))).isEqualTo("v");
    }

    assertThat(calls).isEqualTo(3);
    assertThat(reads.values().hits()).isEqualTo(97);
  }

  @Test
  void get_ofAnAbsentKey_isNeverCounted() {
    ReadThrough<BytesKey, String> reads = reads(Mode.ENFORCE, MAX_AGE);

    for (int i = 0; i < 10; i++) {
      assertThat(text(reads.get(key, backend(null)))).isNull();
    }

    assertThat(calls).isEqualTo(10);
    assertThat(reads.values().ring().count(key.bytes())).isZero();
  }

  @Test
  void get_inObserve_callsTheBackendEveryTimeWithoutSharing() {
    ReadThrough<BytesKey, String> reads = reads(Mode.OBSERVE, MAX_AGE);
    var gate = new CompletableFuture<@Nullable String>();

    reads.get(key, gated(gate));
    reads.get(key, gated(gate));
    gate.complete("v");
    for (int i = 0; i < 10; i++) {
      assertThat(text(reads.get(key, backend("v")))).isEqualTo("v");
    }

    assertThat(calls).isEqualTo(12);
    assertThat(reads.joined()).isZero();
  }

  @Test
  void get_whileAnotherLoads_sharesItsCall() {
    ReadThrough<BytesKey, String> reads = reads(Mode.ENFORCE, MAX_AGE);
    var gate = new CompletableFuture<@Nullable String>();

    CompletionStage<@Nullable String> first = reads.get(key, gated(gate));
    CompletionStage<@Nullable String> second = reads.get(key, gated(gate));
    gate.complete("v");

    assertThat(calls).isEqualTo(1);
    assertThat(text(first)).isEqualTo("v");
    assertThat(text(second)).isEqualTo("v");
    assertThat(reads.joined()).isEqualTo(1);
  }

  @Test
  void get_afterTheKeyWasInvalidatedDuringALoad_doesNotJoinIt() {
    ReadThrough<BytesKey, String> reads = reads(Mode.ENFORCE, MAX_AGE);
    var gate = new CompletableFuture<@Nullable String>();
    CompletionStage<@Nullable String> old = reads.get(key, gated(gate));

    reads.values().invalidate(key);
    String after = text(reads.get(key, backend("new")));
    gate.complete("old");

    assertThat(after).isEqualTo("new");
    assertThat(text(old)).isEqualTo("old");
    assertThat(text(reads.get(key, backend("new")))).isEqualTo("new");
  }

  @Test
  void get_ofALoadThatFails_failsForAllCallersAndLoadsAgainAfterwards() {
    ReadThrough<BytesKey, String> reads = reads(Mode.ENFORCE, MAX_AGE);
    var gate = new CompletableFuture<@Nullable String>();
    CompletionStage<@Nullable String> first = reads.get(key, gated(gate));
    CompletionStage<@Nullable String> second = reads.get(key, gated(gate));

    gate.completeExceptionally(new IllegalStateException("down"));

    assertThat(first.toCompletableFuture()).isCompletedExceptionally();
    assertThat(second.toCompletableFuture()).isCompletedExceptionally();
    assertThat(text(reads.get(key, backend("v")))).isEqualTo("v");
  }

  @Test
  void get_withALoaderThatThrows_failsTheStageAndEndsTheLoad() {
    ReadThrough<BytesKey, String> reads = reads(Mode.ENFORCE, MAX_AGE);

    CompletionStage<@Nullable String> failed =
        reads.get(
            key,
            () -> {
              throw new IllegalStateException("down");
            });

    assertThat(failed.toCompletableFuture()).isCompletedExceptionally();
    assertThat(text(reads.get(key, backend("v")))).isEqualTo("v");
  }

  @Test
  void get_hotUntilCloseToItsMaximumAge_isReloadedBeforeIt() {
    ReadThrough<BytesKey, String> reads = reads(Mode.ENFORCE, MAX_AGE);
    read(reads, 10);

    subject.ticker.advance(MAX_AGE.minusSeconds(1));
    read(reads, 10);
    int ahead = calls;
    subject.ticker.advance(MAX_AGE.minusSeconds(1));
    read(reads, 1);

    assertThat(ahead).isEqualTo(4);
    assertThat(calls).isEqualTo(4);
  }

  @Test
  void get_withAMaximumAgeOfZero_keepsNothing() {
    ReadThrough<BytesKey, String> reads = reads(Mode.ENFORCE, Duration.ZERO);

    read(reads, 10);

    assertThat(calls).isEqualTo(10);
  }

  @Test
  void readPast_ofAHotKey_loadsItAtTheThresholdAndNotAtEachRead() {
    ReadThrough<BytesKey, String> reads = reads(Mode.ENFORCE, Duration.ZERO);

    for (int i = 0; i < 8; i++) {
      reads.readPast(key, backend("v"));
    }

    assertThat(calls).isEqualTo(2);
  }

  @Test
  void readPast_ofACachedKey_loadsNothing() {
    ReadThrough<BytesKey, String> reads = reads(Mode.ENFORCE, MAX_AGE);

    for (int i = 0; i < 20; i++) {
      reads.readPast(key, backend("v"));
    }

    assertThat(calls).isEqualTo(1);
    assertThat(reads.getIfKept(key, backend("v"))).isEqualTo("v");
  }

  private void read(ReadThrough<BytesKey, String> reads, int times) {
    for (int i = 0; i < times; i++) {
      assertThat(text(reads.get(key, backend("v")))).isEqualTo("v");
    }
  }

  private Supplier<CompletionStage<@Nullable String>> backend(@Nullable String value) {
    return gated(CompletableFuture.completedFuture(value));
  }

  private Supplier<CompletionStage<@Nullable String>> gated(
      CompletableFuture<@Nullable String> answer) {
    return () -> {
      calls++;
      return answer;
    };
  }

  private ReadThrough<BytesKey, String> reads(Mode mode, Duration maxAge) {
    var values =
        new HotValues<BytesKey, String>(
            subject.context,
            new HotValues.Limits(mode, 3, maxAge),
            1 << 20,
            subject.ring(),
            new ValueTraits<>() {
              @Override
              public long weight(String value) {
                return value.length();
              }

              @Override
              public boolean isExpired(String value) {
                return false;
              }
            },
            ChangeFeed.ALWAYS);
    return new ReadThrough<>(subject.context, values, mode);
  }

  private static @Nullable String text(CompletionStage<@Nullable String> stage) {
    return stage.toCompletableFuture().join();
  }
}
