package io.heatshield.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** redis-cli and redis-benchmark, where they are installed. */
class RedisCliIT {
  private final DataPortFixture port = DataPortFixture.open();

  @AfterEach
  void close() {
    port.close();
  }

  @Test
  void redisCli_inBothProtocols_printsTheSameAsWithRedis() throws Exception {
    assumeTrue(isInstalled("redis-cli"), "redis-cli is not installed");

    assertThat(cli("set", "a", "b")).isEqualTo("OK\n");
    assertThat(cli("-3", "get", "a")).isEqualTo("b\n");
    assertThat(cli("--no-raw", "-3", "hello", "3")).contains("1# \"server\" => \"redis\"");
    assertThat(cli("mset", "b", "1", "c", "2")).isEqualTo("OK\n");
    assertThat(cli("--scan").lines()).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(cli("--no-raw", "get", "none")).isEqualTo("(nil)\n");
    assertThat(cli("info", "server")).contains("redis_version:");
    assertThat(cli("nosuch")).contains("ERR unknown command 'nosuch'");
    assertThat(cli("--no-raw", "hs.hot")).contains("(empty array)");
  }

  @Test
  void redisBenchmark_runsClean() throws Exception {
    assumeTrue(isInstalled("redis-benchmark"), "redis-benchmark is not installed");

    String text =
        run(
            List.of(
                "redis-benchmark",
                "-p",
                Integer.toString(port.port()),
                "-t",
                "ping,set,get,incr,mset",
                "-n",
                "4000",
                "-c",
                "50",
                "-P",
                "16",
                "--csv"));

    assertThat(text).contains("\"PING_INLINE\"", "\"SET\"", "\"GET\"", "\"INCR\"", "\"MSET");
    assertThat(text).doesNotContainIgnoringCase("error").doesNotContain("WARNING");
    assertThat(port.counters.errors()).isZero();
  }

  private String cli(String... arguments) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("redis-cli", "-p", Integer.toString(port.port())));
    command.addAll(List.of(arguments));
    return run(command);
  }

  private static String run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return text;
  }

  private static boolean isInstalled(String program) throws InterruptedException {
    try {
      run(List.of(program, "--version"));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
