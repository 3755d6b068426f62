package io.heatshield.ring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EntryTest {
  private final Entry entry = new PlainEntry(1, (byte) 0, new byte[] {1});

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
  void letGo_afterATouchWhileHeld_keepsTheTouch() {
    entry.raise();
    long held = entry.hold();
    entry.raise();

    long answer = entry.letGo(held & Entry.TOTAL, 0);

    assertThat(answer).isEqualTo(~1);
    assertThat(entry.count()).isEqualTo(1);
    assertThat(entry.state() & Entry.HELD).isZero();
  }

  @Test
  void letGo_belowALimit_admitsOneOnTopOfWhatIsLeft() {
    entry.raise();
    long held = entry.hold();

    long admitted = entry.letGo(1, 2);
    long full = entry.admit(2);

    assertThat(held & Entry.TOTAL).isEqualTo(2);
    assertThat(admitted).isEqualTo(2);
    assertThat(full).isEqualTo(~2);
    assertThat(entry.count()).isEqualTo(2);
  }
}
