package io.heatshield.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FleetHotKeysTest {
  private final GuardSubject subject = new GuardSubject();
  private final BytesKey key = subject.key("k");

  @Test
  void contains_afterTheKeysWereReplaced_hasOnlyTheNewOnes() {
    subject.fleet.replace(List.of(key.bytes()), 2);
    boolean before = subject.fleet.contains(key.bytes(), key.hash());

    subject.fleet.replace(List.of(GuardSubject.bytes("other")), 2);

    assertThat(before).isTrue();
    assertThat(subject.fleet.contains(key.bytes(), key.hash())).isFalse();
  }

  @Test
  void share_ofALimit_isDividedAmongTheNodesAndAtLeastOne() {
    subject.fleet.replace(List.of(key.bytes()), 4);

    long share = subject.fleet.share(key.bytes(), key.hash(), 10);

    assertThat(share).isEqualTo(2);
    assertThat(subject.fleet.share(key.bytes(), key.hash(), 3)).isEqualTo(1);
    assertThat(subject.fleet.share(GuardSubject.bytes("other"), subject.hash("other"), 10))
        .isEqualTo(10);
  }
}
