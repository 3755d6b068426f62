package io.heatshield.ring;

import static org.assertj.core.api.Assertions.assertThat;

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
    assertThat(ring.top(1).keys()).isEmpty();
    assertThat(ring.stats().entries()).isZero();
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
  void clamp_acrossSlots_admitsAtMostNInAWindow() {
    HotRing ring = windowed(8, 250);
    var admittedAt = new ArrayList<Long>();

    for (long ms = 0; ms < 10_000; ms += 37) {
      if (!ring.clamp("k", 5).limited()) {
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
  void room_limited_isTheTimeUntilAnAdmission() {
    HotRing ring = windowed(4, 100);
    ring.clamp("k", 3);
    ticker.advance(Duration.ofMillis(150));
    ring.clamp("k", 3);
    ring.clamp("k", 3);

    Clamp limited = ring.clamp("k", 3);
    Clamp tighter = ring.clamp("k", 1);
    Clamp sameSlot = ring.clamp("k", 2);
    ticker.advance(limited.room());
    Clamp admitted = ring.clamp("k", 3);

    assertThat(limited.room()).isEqualTo(Duration.ofMillis(250));
    assertThat(tighter.room()).isEqualTo(Duration.ofMillis(350));
    assertThat(sameSlot.room()).isEqualTo(Duration.ofMillis(350));
    assertThat(admitted.limited()).isFalse();
    assertThat(admitted.roomNanos()).isZero();
  }

  @Test
  void room_slotOver65535_isTheTimeUntilAnAdmission() {
    HotRing ring = windowed(3, 100);
    for (int i = 0; i < 70_000; i++) {
      ring.touch("k");
    }
    ticker.advance(Duration.ofMillis(100));
    ring.touch("k");

    Clamp limited = ring.clamp("k", 10);

    assertThat(limited.count()).isEqualTo(70_001);
    assertThat(limited.room()).isEqualTo(Duration.ofMillis(200));
  }

  @Test
  void room_daysOrAMillionTouches_isExact() {
    HotRing slow = windowed(2, Duration.ofDays(1).toMillis());
    slow.clamp("k", 1);
    HotRing hot = windowed(2, 250);
    for (int i = 0; i < 1 << 20; i++) {
      hot.touch("k");
    }

    Clamp slowClamp = slow.clamp("k", 1);
    Clamp hotClamp = hot.clamp("k", 1);

    assertThat(slowClamp).isEqualTo(new Clamp(1, true, false, Duration.ofDays(2).toNanos()));
    assertThat(hotClamp.count()).isEqualTo(1 << 20);
    assertThat(hotClamp.room()).isEqualTo(Duration.ofMillis(500));
  }

  @Test
  void room_noWindowDecayOrRotation_isNever() {
    HotRing ring = HotRing.builder().window(0, Duration.ZERO).rotation(Duration.ZERO).build();
    ring.clamp("k", 1);

    assertThat(ring.clamp("k", 1).roomNanos()).isEqualTo(Clamp.NEVER);
  }

  @Test
  void count_decay_isShiftedOncePerInterval() {
    var decays = new ArrayList<String>();
    HotRing ring =
        HotRing.builder()
            .ticker(ticker::nanos)
            .window(0, Duration.ZERO)
            .rotation(Duration.ZERO)
            .decay(Duration.ofSeconds(1), 1)
            .observer(
                new RingObserver() {
                  @Override
                  public void decayed(KeyCount key, long lost) {
                    decays.add(key + " -" + lost);
                  }
                })
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
    assertThat(decays).containsExactly("k@0=6 -7", "k@0=1 -5", "k@0=0 -2");
  }

  @Test
  void room_decay_isTheTimeUntilTheCountIsBelowTheLimit() {
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

    Clamp clamp = ring.clamp("k", 4);

    assertThat(clamp.room()).isEqualTo(Duration.ofMillis(2_700));
  }

  @Test
  void clamp_afterARotation_usesTheLargerCount() {
    HotRing ring = rotating();
    ring.touch("hot");
    ring.touch("hot");

    ticker.advance(Duration.ofMinutes(1));
    Clamp atTwo = ring.clamp("hot", 2);
    Clamp atThree = ring.clamp("hot", 3);

    assertThat(atTwo.limited()).isTrue();
    assertThat(atTwo.count()).isEqualTo(2);
    assertThat(atTwo.room()).isEqualTo(Duration.ofMinutes(1));
    assertThat(atThree.limited()).isFalse();
    assertThat(atThree.count()).isEqualTo(2);
    assertThat(ring.count("hot")).isEqualTo(2);
    assertThat(ring.top(1).keys().get(0).count()).isEqualTo(3);
    assertThat(ring.top(1, Merge.LARGER).keys().get(0).count()).isEqualTo(2);
    assertThat(ring.keysAbove(3).keys()).hasSize(1);
    assertThat(ring.keysAbove(3, Merge.LARGER).keys()).isEmpty();
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
    assertThat(ring.stats().entries()).isZero();
    assertThat(ring.stats().expired()).isEqualTo(1);
  }

  @Test
  void clamp_windowAcrossARotation_keepsItsCount() {
    HotRing ring =
        HotRing.builder()
            .ticker(ticker::nanos)
            .window(4, Duration.ofMillis(250))
            .rotation(Duration.ofMillis(1_100))
            .build();
    ticker.advance(Duration.ofMillis(1_050));
    for (int i = 0; i < 5; i++) {
      ring.clamp("k", 5);
    }

    ticker.advance(Duration.ofMillis(60));
    Clamp afterRotation = ring.clamp("k", 5);

    assertThat(ring.stats().rotations()).isEqualTo(1);
    assertThat(afterRotation.limited()).isTrue();
    assertThat(afterRotation.count()).isEqualTo(5);
    assertThat(afterRotation.room()).isEqualTo(Duration.ofMillis(890));
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
    boolean limited = ring.clamp("k", 2).limited();
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
