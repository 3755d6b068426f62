package io.heatshield.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.action.Admission;
import io.heatshield.testkit.time.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HotRingTimeTest {
  private final FakeTicker ticker = new FakeTicker();

  @Test
  void count_windowWithoutATouch_isZero() {
    HotRing ring = windowed(8, 250);
    ring.touch("k");

    ticker.advance(Duration.ofMillis(1_999));
    long before = ring.count("k");
    ticker.advance(Duration.ofMillis(1));
    long after = ring.count("k");

    assertThat(before).isEqualTo(1);
    assertThat(after).isZero();
    assertThat(ring.top(1)).isEmpty();
    assertThat(ring.stats().size()).isZero();
    assertThat(ring.stats().touches()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 5, 6, 8, 9, 10, 64})
  void count_slotsEnd_losesOneSlotAtATime(int slots) {
    HotRing ring = windowed(slots, 10);
    for (int slot = 0; slot < slots; slot++) {
      for (int n = 0; n <= slot; n++) {
        ring.touch("k");
      }
      ticker.advance(Duration.ofMillis(slot == slots - 1 ? 0 : 10));
    }
    long all = slots * (slots + 1L) / 2;

    var counts = new ArrayList<Long>();
    var expected = new ArrayList<Long>();
    for (int ended = 0; ended <= slots; ended++) {
      counts.add(ring.count("k"));
      expected.add(all - ended * (ended + 1L) / 2);
      ticker.advance(Duration.ofMillis(10));
    }

    assertThat(counts).isEqualTo(expected);
  }

  @Test
  void count_slotOver65535_isExactAndExpires() {
    HotRing ring = windowed(4, 10);
    ring.touch("k");
    ticker.advance(Duration.ofMillis(10));
    for (int i = 0; i < 70_000; i++) {
      ring.touch("k");
    }
    ticker.advance(Duration.ofMillis(10));
    ring.touch("k");

    long whole = ring.count("k");
    ticker.advance(Duration.ofMillis(20));
    long withoutFirst = ring.count("k");
    ticker.advance(Duration.ofMillis(10));
    long last = ring.count("k");
    ticker.advance(Duration.ofMillis(10));

    assertThat(whole).isEqualTo(70_002);
    assertThat(withoutFirst).isEqualTo(70_001);
    assertThat(last).isEqualTo(1);
    assertThat(ring.count("k")).isZero();
    assertThat(ring.touch("k")).isEqualTo(1);
  }

  @Test
  void tryTouch_acrossSlots_admitsAtMostNInAWindow() {
    HotRing ring = windowed(8, 250);
    var admittedAt = new ArrayList<Long>();

    for (long ms = 0; ms < 10_000; ms += 37) {
      if (ring.tryTouch("k", 5).admitted()) {
        admittedAt.add(ms / 250);
      }
      ticker.advance(Duration.ofMillis(37));
    }

    for (long slot = 0; slot < 40; slot++) {
      long from = slot;
      assertThat(admittedAt.stream().filter(s -> s > from - 8 && s <= from).count())
          .isLessThanOrEqualTo(5);
    }
    assertThat(admittedAt).hasSize(25);
  }

  @Test
  void retryAfter_limited_isTheTimeUntilAnAdmission() {
    HotRing ring = windowed(4, 100);
    var unused = ring.tryTouch("k", 3);
    ticker.advance(Duration.ofMillis(150));
    assertThat(ring.tryTouch("k", 3).admitted()).isTrue();
    assertThat(ring.tryTouch("k", 3).admitted()).isTrue();

    Admission limited = ring.tryTouch("k", 3);
    Admission tighter = ring.tryTouch("k", 1);
    Admission sameSlot = ring.tryTouch("k", 2);
    ticker.advance(limited.retryAfter());
    Admission admitted = ring.tryTouch("k", 3);

    assertThat(limited.retryAfter()).isEqualTo(Duration.ofMillis(250));
    assertThat(tighter.retryAfter()).isEqualTo(Duration.ofMillis(350));
    assertThat(sameSlot.retryAfter()).isEqualTo(Duration.ofMillis(350));
    assertThat(admitted.admitted()).isTrue();
    assertThat(admitted.retryAfter()).isZero();
  }

  @Test
  void retryAfter_slotOver65535_isTheTimeUntilAnAdmission() {
    HotRing ring = windowed(3, 100);
    for (int i = 0; i < 70_000; i++) {
      ring.touch("k");
    }
    ticker.advance(Duration.ofMillis(100));
    ring.touch("k");

    Admission limited = ring.tryTouch("k", 10);

    assertThat(ring.count("k")).isEqualTo(70_001);
    assertThat(limited.retryAfter()).isEqualTo(Duration.ofMillis(200));
  }

  @Test
  void retryAfter_daysOrAMillionTouches_isExact() {
    HotRing slow = windowed(2, Duration.ofDays(1).toMillis());
    var unused = slow.tryTouch("k", 1);
    HotRing hot = windowed(2, 250);
    for (int i = 0; i < 1 << 20; i++) {
      hot.touch("k");
    }

    Admission slowAdmission = slow.tryTouch("k", 1);
    Admission hotAdmission = hot.tryTouch("k", 1);

    assertThat(slowAdmission.retryAfter()).isEqualTo(Duration.ofDays(2));
    assertThat(hot.count("k")).isEqualTo(1 << 20);
    assertThat(hotAdmission.retryAfter()).isEqualTo(Duration.ofMillis(500));
  }

  @Test
  void retryAfter_noWindowDecayOrRotation_isNever() {
    HotRing ring = HotRing.builder().window(0, Duration.ZERO).rotation(Duration.ZERO).build();
    var unused = ring.tryTouch("k", 1);

    assertThat(ring.tryTouch("k", 1).retryAfter()).isEqualTo(Admission.NEVER);
  }

  @Test
  void count_decay_isShiftedOncePerInterval() {
    HotRing ring =
        HotRing.builder()
            .ticker(ticker::nanos)
            .window(0, Duration.ZERO)
            .rotation(Duration.ZERO)
            .decay(Duration.ofSeconds(1), 1)
            .build();
    for (int i = 0; i < 13; i++) {
      ring.touch("k");
    }

    ticker.advance(Duration.ofSeconds(1));
    long afterOne = ring.count("k");
    ticker.advance(Duration.ofSeconds(2));
    long afterThree = ring.touch("k");
    ticker.advance(Duration.ofDays(300));

    assertThat(afterOne).isEqualTo(6);
    assertThat(afterThree).isEqualTo(2);
    assertThat(ring.count("k")).isZero();
    assertThat(ring.stats().touches()).isEqualTo(14);
  }

  @Test
  void retryAfter_decay_isTheTimeUntilTheCountIsBelowTheLimit() {
    HotRing ring =
        HotRing.builder()
            .ticker(ticker::nanos)
            .window(0, Duration.ZERO)
            .rotation(Duration.ZERO)
            .decay(Duration.ofSeconds(1), 1)
            .build();
    for (int i = 0; i < 16; i++) {
      ring.touch("k");
    }
    ticker.advance(Duration.ofMillis(300));

    Admission admission = ring.tryTouch("k", 4);

    assertThat(admission.retryAfter()).isEqualTo(Duration.ofMillis(2_700));
  }

  @Test
  void tryTouch_afterARotation_usesTheLargerCount() {
    HotRing ring = rotating();
    ring.touch("hot");
    ring.touch("hot");

    ticker.advance(Duration.ofMinutes(1));
    Admission atTwo = ring.tryTouch("hot", 2);
    Admission atThree = ring.tryTouch("hot", 3);

    assertThat(atTwo.admitted()).isFalse();
    assertThat(atTwo.retryAfter()).isEqualTo(Duration.ofMinutes(1));
    assertThat(atThree.admitted()).isTrue();
    assertThat(atThree.remaining()).isEqualTo(1);
    assertThat(ring.count("hot")).isEqualTo(2);
    assertThat(ring.top(1).get(0).count()).isEqualTo(3);
    assertThat(ring.top(1, Merge.LARGER).get(0).count()).isEqualTo(2);
    assertThat(ring.keysAbove(3)).hasSize(1);
    assertThat(ring.keysAbove(3, Merge.LARGER)).isEmpty();
    assertThat(ring.stats().rotations()).isEqualTo(1);
  }

  @Test
  void count_twoRotationsWithoutATouch_isZero() {
    HotRing ring = rotating();
    ring.touch("k");

    ticker.advance(Duration.ofSeconds(119));
    long warm = ring.count("k");
    ticker.advance(Duration.ofSeconds(1));

    assertThat(warm).isEqualTo(1);
    assertThat(ring.count("k")).isZero();
    assertThat(ring.stats().size()).isZero();
    assertThat(ring.stats().expired()).isEqualTo(1);
  }

  @Test
  void tryTouch_windowAcrossARotation_keepsItsCount() {
    HotRing ring =
        HotRing.builder()
            .ticker(ticker::nanos)
            .window(4, Duration.ofMillis(250))
            .rotation(Duration.ofMillis(1_100))
            .build();
    ticker.advance(Duration.ofMillis(1_050));
    for (int i = 0; i < 5; i++) {
      var unused = ring.tryTouch("k", 5);
    }

    ticker.advance(Duration.ofMillis(60));
    Admission afterRotation = ring.tryTouch("k", 5);

    assertThat(ring.stats().rotations()).isEqualTo(1);
    assertThat(afterRotation.admitted()).isFalse();
    assertThat(ring.count("k")).isEqualTo(5);
    assertThat(afterRotation.retryAfter()).isEqualTo(Duration.ofMillis(890));
  }

  @Test
  void count_tickerJumpsAhead_dropsTheExpiredTouches() {
    HotRing ring = windowed(8, 250);
    ring.touch("k");

    ticker.advance(Duration.ofSeconds(30));
    long afterJump = ring.touch("k");
    ticker.advance(Duration.ofDays(10));

    assertThat(afterJump).isEqualTo(1);
    assertThat(ring.count("k")).isZero();
  }

  @Test
  void count_tickerGoesBack_losesNothingAndExpiresInTime() {
    var reading = new AtomicLong(Duration.ofHours(2).toNanos());
    HotRing ring = HotRing.builder().ticker(reading::get).window(4, Duration.ofMillis(10)).build();
    reading.addAndGet(Duration.ofMillis(100).toNanos());
    ring.touch("k");

    reading.addAndGet(-Duration.ofHours(1).toNanos());
    long back = ring.touch("k");
    boolean limited = !ring.tryTouch("k", 2).admitted();
    reading.addAndGet(Duration.ofHours(1).plusMillis(39).toNanos());
    long last = ring.count("k");
    reading.addAndGet(Duration.ofMillis(1).toNanos());

    assertThat(back).isEqualTo(2);
    assertThat(limited).isTrue();
    assertThat(last).isEqualTo(2);
    assertThat(ring.count("k")).isZero();
  }

  private HotRing windowed(int slots, long millis) {
    return HotRing.builder()
        .ticker(ticker::nanos)
        .window(slots, Duration.ofMillis(millis))
        .rotation(Duration.ofDays(3))
        .build();
  }

  private HotRing rotating() {
    return HotRing.builder()
        .ticker(ticker::nanos)
        .window(0, Duration.ZERO)
        .rotation(Duration.ofMinutes(1))
        .build();
  }
}
