package io.heatshield.ring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EntryTest {
  private final Entry entry = new GenerationEntry(1, (byte) 0, new byte[] {1}, 0);

  @BeforeEach
  void touchOnce() {
    entry.increment();
  }

  @Test
  void increment_deadEntry_isNotCounted() {
    entry.increment();
    long last = entry.markDead();

    long late = entry.increment();

    assertThat(late).isEqualTo(Entry.WAS_DEAD);
    assertThat(entry.count(last)).isEqualTo(2);
    assertThat(entry.count()).isZero();
    assertThat(entry.incrementBelow(10)).isEqualTo(Entry.WAS_DEAD);
    assertThat(entry.markDead() & Entry.DEAD).isNotZero();
  }

  @Test
  void markDead_stateHasChanged_returnsFalse() {
    long before = entry.state();
    entry.increment();

    boolean marked = entry.markDead(before);

    assertThat(marked).isFalse();
    assertThat(entry.count()).isEqualTo(2);
  }

  @Test
  void unlock_incrementedWhileLocked_keepsTheTouch() {
    entry.increment();
    long before = entry.lock();
    entry.increment();

    long result = entry.unlock(before & Entry.TOTAL, 0);

    assertThat(result).isEqualTo(~1);
    assertThat(entry.count()).isEqualTo(1);
    assertThat(entry.state() & Entry.LOCKED).isZero();
  }

  @Test
  void unlock_remainingCountBelowLimit_countsOneTouch() {
    entry.increment();
    long before = entry.lock();

    long admitted = entry.unlock(1, 2);
    long limited = entry.incrementBelow(2);

    assertThat(before & Entry.TOTAL).isEqualTo(2);
    assertThat(admitted).isEqualTo(2);
    assertThat(limited).isEqualTo(~2);
    assertThat(entry.count()).isEqualTo(2);
  }
}
