package io.heatshield.rls.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The port with a client that shares no code with it: Python's gRPC, where it is installed. */
@Timeout(120)
class PythonClientIT {
  /** Asks four times, in messages written byte by byte, and prints each answer's overall code. */
  private static final String CLIENT =
      """
      import sys
      import grpc

      def field(number, content):
          return bytes([number << 3 | 2, len(content)]) + content

      entry = field(1, b"user") + field(2, b"anna")
      question = field(1, b"shop") + field(2, field(1, entry))
      channel = grpc.insecure_channel(sys.argv[1])
      ask = channel.unary_unary("/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit")
      codes = [ask(question, timeout=30)[1] for _ in range(4)]
      print(codes)
      try:
          ask(field(2, field(1, entry)), timeout=30)
      except grpc.RpcError as refused:
          print(refused.code().name, refused.details())
      health = channel.unary_unary("/grpc.health.v1.Health/Check")
      print(list(health(field(1, b"ratelimit"), timeout=30)))
      """;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @Test
  void requests_byPython_getTheVerdictsOfTheRules() throws Exception {
    Optional<String> python = python();
    assumeTrue(python.isPresent(), "python3 with grpc is not installed");
    Path client = Files.writeString(folder.resolve("client.py"), CLIENT);

    try (var open = new GrpcPortFixture()) {
      String address = "127.0.0.1:" + open.port.address().getPort();
      List<String> printed = run(python.orElseThrow(), client.toString(), address);

      assertThat(printed)
          .containsExactly(
              "[1, 1, 1, 2]",
              "INVALID_ARGUMENT domain: rate limit domain must not be empty",
              "[8, 1]");
    }
  }

  private static Optional<String> python() {
    return Stream.of("python3", "/usr/bin/python3").filter(PythonClientIT::hasGrpc).findFirst();
  }

  private static boolean hasGrpc(String python) {
    try {
      return run(python, "-c", "import grpc; print('here')").equals(List.of("here"));
    } catch (IOException e) {
      return false;
    }
  }

  private static List<String> run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return printed.lines().toList();
  }
}
