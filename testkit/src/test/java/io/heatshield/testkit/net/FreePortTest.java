package io.heatshield.testkit.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FreePortTest {

  @Test
  void find_manyTimes_returnsDifferentPortsBelowTheEphemeralRange() {
    int[] ports = IntStream.range(0, 200).map(i -> FreePort.find()).toArray();

    assertThat(ports).doesNotHaveDuplicates();
    assertThat(IntStream.of(ports)).allMatch(port -> port >= 20_000 && port < 32_000);
  }

  @Test
  void isFree_portInUse_isFalse() throws Exception {
    try (var taken = new ServerSocket(FreePort.find(), 1, InetAddress.getLoopbackAddress())) {
      assertThat(FreePort.isFree(taken.getLocalPort())).isFalse();
    }
  }
}
