package io.heatshield.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FirstUsesTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final long KEY = 5L << 32;

  private final FirstUses uses = new FirstUses(Duration.ofSeconds(1), 1 << 10);

  @Test
  void takes_theFirstUsesOfAKey_andNoMore() {
    for (int i = 0; i < FirstUses.MOST; i++) {
      assertThat(takes(KEY, 0)).isTrue();
    }

    assertThat(takes(KEY, 0)).isFalse();
    assertThat(takes(6L << 32, 0)).isTrue();
  }

  @Test
  void bytes_ofMoreThanAnyHeap_areBounded() {
    assertThat(new FirstUses(Duration.ofSeconds(1), 1L << 40).bytes()).isEqualTo(1 << 26);
  }

  @Test
  void takes_aKeyThatIsUsedOnceInAWindow_doesNotTakeItAgain() {
    for (int i = 0; i < FirstUses.MOST; i++) {
      assertThat(takes(KEY, 0)).isTrue();
    }

    for (long now = 0; now < 100 * SECOND; now += SECOND) {
      assertThat(takes(KEY, now)).isFalse();
    }
  }

  @Test
  void takes_afterTwoWindowsWithoutAUse_takesTheFirstAgain() {
    while (takes(KEY, 0)) {
      // Until there are enough.
    }

    assertThat(takes(KEY, 3 * SECOND)).isTrue();
  }

  @Test
  void takes_withTimeBelowZero_countsAsEver() {
    long now = -SECOND / 2;

    for (int i = 0; i < FirstUses.MOST; i++) {
      assertThat(takes(KEY, now + i)).isTrue();
    }

    assertThat(takes(KEY, now + SECOND)).isFalse();
  }

  @Test
  void takes_byManyThreads_takesExactlyTheMost() {
    var taken = new AtomicInteger();
    var threads = new CompletableFuture<?>[8];

    for (int i = 0; i < threads.length; i++) {
      threads[i] =
          CompletableFuture.runAsync(
              () -> {
                for (int use = 0; use < 1000; use++) {
                  if (takes(KEY, 0)) {
                    taken.incrementAndGet();
                  }
                }
              });
    }
    CompletableFuture.allOf(threads).join();

    assertThat(taken).hasValue(FirstUses.MOST);
  }

  @Test
  void bytes_areTheLargestPowerOfTwoWithin() {
    assertThat(new FirstUses(Duration.ofSeconds(1), 1000).bytes()).isEqualTo(512);
    assertThat(new FirstUses(Duration.ofMillis(1), 1).bytes()).isEqualTo(1);
  }

  @Test
  void takes_afterALookThatIsOutOfDate_countsAllTheSame() {
    byte before = uses.look(KEY);
    assertThat(takes(KEY, 0)).isTrue();

    assertThat(uses.takes(KEY, 0, before)).isTrue();

    assertThat(takes(KEY, 0)).isTrue();
    assertThat(uses.takes(KEY, 0, before)).isFalse();
  }

  private boolean takes(long hash, long now) {
    return uses.takes(hash, now, uses.look(hash));
  }
}
