package io.heatshield.testkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.opentest4j.TestAbortedException;

class RedisBinaryTest {

  @ParameterizedTest
  @CsvSource({
    "Linux, amd64, /redis-server-7.0.15-linux-amd64",
    "Linux, aarch64, /redis-server-7.0.15-linux-arm64",
    "Linux, i386, /redis-server-7.0.15-linux-386",
    "Mac OS X, x86_64, /redis-server-7.0.15-darwin-amd64",
    "Mac OS X, aarch64, /redis-server-7.0.15-darwin-arm64"
  })
  void resourceFor_knownPlatform_returnsTheProgram(String os, String architecture, String name) {
    assertThat(RedisBinary.resourceFor(os, architecture)).contains(name);
  }

  @ParameterizedTest
  @CsvSource({"Windows 11, amd64", "Linux, riscv64", "Plan 9, 386"})
  void unpackOrSkip_unknownPlatform_skipsWithTheReason(String os, String architecture) {
    assertThatThrownBy(() -> RedisBinary.unpackOrSkip(os, architecture))
        .isInstanceOf(TestAbortedException.class)
        .hasMessageContaining("Redis")
        .hasMessageContaining(os)
        .hasMessageContaining(architecture);
  }

  @Test
  void unpackOrSkip_programForAnotherSystem_skipsWithTheReason() {
    String foreign = System.getProperty("os.name").startsWith("Mac") ? "Linux" : "Mac OS X";

    assertThatThrownBy(() -> RedisBinary.unpackOrSkip(foreign, "aarch64"))
        .isInstanceOf(TestAbortedException.class)
        .hasMessageContaining("Redis program cannot run here");
  }
}
