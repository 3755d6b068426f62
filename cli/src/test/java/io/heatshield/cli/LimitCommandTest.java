package io.heatshield.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.cli.process.ExitCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class LimitCommandTest {

  @Test
  void limit_untilOver_printsItAndExitsWithOne(@TempDir Path folder) throws Exception {
    try (LocalServer server = start(folder)) {
      String endpoint = server.server().grpc().orElseThrow().toString();
      String[] question = {
        "limit", "-dial_string", endpoint, "-domain", "shop", "-descriptors", "user=anna"
      };

      Invocation first = Invocation.of(question);
      Invocation second = Invocation.of(question);
      Invocation json =
          Invocation.of(
              "limit", "--dial-string=" + endpoint, "--domain=shop", "--descriptors=a=b", "--json");

      Invocation blocked =
          Invocation.of(
              "limit", "--dial-string=" + endpoint, "--domain=shop", "--descriptors=robot=r2");

      assertThat(blocked.code()).isEqualTo(ExitCode.NEGATIVE);
      assertThat(blocked.out()).contains("blocked by a rule of a table for another 300 s");
      assertThat(first.code()).isEqualTo(ExitCode.OK);
      assertThat(first.out()).startsWith("OK   domain shop\n").contains("0 of 1 per day left");
      assertThat(second.code()).isEqualTo(ExitCode.NEGATIVE);
      assertThat(second.out()).startsWith("OVER_LIMIT   domain shop\n");
      assertThat(json)
          .isEqualTo(
              new Invocation(
                  0,
                  "{\"overallCode\":\"OK\",\"statuses\":[{\"code\":\"OK\",\"limitRemaining\":0}]}\n",
                  ""));
    }
  }

  @Test
  void limit_invalidDescriptor_isWrongUsage() {
    Invocation none = Invocation.of("limit", "-domain", "shop");
    Invocation noPair = Invocation.of("limit", "-domain", "shop", "-descriptors", "user");
    Invocation hits =
        Invocation.of("limit", "-domain", "d", "-descriptors", "a=b", "-hits_addend", "-1");

    assertThat(none.code()).isEqualTo(ExitCode.WRONG_USAGE);
    assertThat(noPair.code()).isEqualTo(ExitCode.WRONG_USAGE);
    assertThat(noPair.err()).contains("-descriptors must be key=value,key=value: user");
    assertThat(hits.err()).contains("-hits_addend must be 0 to 4294967295: -1");
  }

  @Test
  void limit_closedPort_cannotReach() throws IOException {
    int port;
    try (var closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = closed.getLocalPort();
    }

    Invocation limit =
        Invocation.of(
            "limit", "-dial_string", "127.0.0.1:" + port, "-domain", "d", "-descriptors", "a=b");

    assertThat(limit.code()).isEqualTo(ExitCode.CANNOT_RUN);
    assertThat(limit.err()).startsWith("heatshield: cannot reach 127.0.0.1:" + port);
  }

  private static LocalServer start(Path folder) throws Exception {
    Path rules = Files.createDirectory(folder.resolve("limits"));
    Files.writeString(
        rules.resolve("shop.yaml"),
        """
        domain: shop
        descriptors:
          - {key: user, rate_limit: {unit: day, requests_per_unit: 1}}
        """);
    return LocalServer.start(
        folder,
        "limits: { config: '"
            + rules
            + "' }\ntables: [{ name: t, key: robot, rules: [{ name: none, when: { rate_above: 0 },"
            + " mode: enforce }] }]\n");
  }
}
