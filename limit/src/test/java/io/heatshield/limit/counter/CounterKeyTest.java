package io.heatshield.limit.counter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CounterKeyTest {

  @Test
  void equals_sameHashButOtherBytes_isFalse() {
    var one = new CounterKey(new byte[] {1}, 7);
    var other = new CounterKey(new byte[] {2}, 7);

    assertThat(one).hasSameHashCodeAs(other).isNotEqualTo(other);
    assertThat(one).isEqualTo(new CounterKey(new byte[] {1}, 7));
  }
}
