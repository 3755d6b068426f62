package io.heatshield.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

class HostRuleTest {

  @Test
  void allows_onLoopback_onlyNamesOfThisMachine() {
    var bound = new InetSocketAddress(InetAddress.getLoopbackAddress(), 8080);

    HostRule rule = HostRule.of(bound, List.of("Shield.example."));

    assertThat(List.of("localhost", "localhost:1", "127.0.0.1:8080", "[::1]", "shield.example:443"))
        .allMatch(rule::allows);
    assertThat(List.of("example", "192.168.0.1", "127.0.0.1.evil.example", "[::2]", "", "a b"))
        .noneMatch(rule::allows);
  }

  @Test
  void allows_onAnotherAddress_everyLiteralButNoForeignName() throws IOException {
    byte[] any = new byte[4];
    var bound = new InetSocketAddress(InetAddress.getByAddress(any), 8080);

    HostRule rule = HostRule.of(bound, List.of());

    assertThat(List.of("10.0.0.7:8080", "[fe80::1]:8080", "localhost")).allMatch(rule::allows);
    assertThat(List.of("evil.example", "10.0.0.7.evil.example", "0x0a000007"))
        .noneMatch(rule::allows);
  }

  @Test
  void isOwn_comparesHostAndPort() {
    assertThat(HostRule.isOwn(null, "a")).isTrue();
    assertThat(HostRule.isOwn("http://A:1", "a:1")).isTrue();
    assertThat(HostRule.isOwn("http://a:2", "a:1")).isFalse();
    assertThat(HostRule.isOwn("http://a", null)).isFalse();
    assertThat(HostRule.isOwn("null", "null")).isFalse();
    assertThat(HostRule.isOwn("file://a", "a")).isFalse();
  }
}
