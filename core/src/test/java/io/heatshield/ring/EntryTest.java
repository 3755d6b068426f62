package io.heatshield.ring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EntryTest {
  private final Entry entry = new GenerationEntry(1, (byte) 0, new byte[] {1}, 0);

  @BeforeEach
  void touchOnce() {
    entry.raise();
  }

  @Test
  void raise_ofADeadEntry_countsNothing() {
    entry.raise();
    long last = entry.kill();

    long late = entry.raise();

    assertThat(late).isEqualTo(Entry.GONE);
    assertThat(entry.count(last)).isEqualTo(2);
    assertThat(entry.count()).isZero();
    assertThat(entry.admit(10)).isEqualTo(Entry.GONE);
    assertThat(entry.kill()).isEqualTo(Entry.GONE);
  }

  @Test
  void kill_ofAStateThatHasChanged_isRefused() {
    long judged = entry.state();
    entry.raise();

    boolean killed = entry.kill(judged);

    assertThat(killed).isFalse();
    assertThat(entry.count()).isEqualTo(2);
  }

  @Test
  void unlock_afterATouchWhileLocked_keepsTheTouch() {
    entry.raise();
    long locked = entry.lock();
    entry.raise();

    long answer = entry.unlock(locked & Entry.TOTAL, 0);

    assertThat(answer).isEqualTo(~1);
    assertThat(entry.count()).isEqualTo(1);
    assertThat(entry.state() & Entry.LOCKED).isZero();
  }

  @Test
  void unlock_belowALimit_admitsOneOnTopOfWhatIsLeft() {
    entry.raise();
    long locked = entry.lock();

    long admitted = entry.unlock(1, 2);
    long full = entry.admit(2);

    assertThat(locked & Entry.TOTAL).isEqualTo(2);
    assertThat(admitted).isEqualTo(2);
    assertThat(full).isEqualTo(~2);
    assertThat(entry.count()).isEqualTo(2);
  }
}
