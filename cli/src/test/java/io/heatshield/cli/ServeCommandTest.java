package io.heatshield.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.cli.process.ExitCode;
import io.heatshield.cli.process.StopSignal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServeCommandTest {
  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private Path folder;

  @Test
  void serve_signalRaised_printsItsAddressesAndExitsWithZero() throws IOException {
    Path file =
        write(
            "server: { http: '127.0.0.1:0', resp: '127.0.0.1:0', state_dir: '" + folder + "' }\n");
    var signal = new StopSignal();
    signal.raise();

    Invocation serve = Invocation.of(signal, "serve", "--config", file.toString());

    assertThat(serve.code()).isZero();
    assertThat(serve.out()).contains("http://127.0.0.1:");
  }

  @Test
  void serve_faultsInTheFile_namesThemAndStartsNothing() throws IOException {
    Path file = write("servr: {}\ndetect: { window: 60 }\n");

    Invocation serve = Invocation.of("serve", "-c", file.toString());

    assertThat(serve.code()).isEqualTo(ExitCode.NEGATIVE);
    assertThat(serve.out()).isEmpty();
    assertThat(serve.err()).contains(file + ":1: ", file + ":2: ", "the server was not started");
  }

  @Test
  void serve_portTaken_cannotRunAndNamesTheSetting() throws IOException {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Path file =
          write(
              "server: { http: '127.0.0.1:"
                  + taken.getLocalPort()
                  + "', state_dir: '"
                  + folder
                  + "' }\n");

      Invocation serve = Invocation.of("serve", "--config", file.toString());

      assertThat(serve.code()).isEqualTo(ExitCode.CANNOT_RUN);
      assertThat(serve.err()).startsWith("heatshield: server.http (").hasLineCount(1);
    }
  }

  @Test
  void serve_portsByOptions_winOverTheFile() throws IOException {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String there = "127.0.0.1:" + taken.getLocalPort();
      Path file =
          write(
              String.format(
                  Locale.ROOT,
                  "server: { http: '%s', resp: '%s', state_dir: '%s' }%n",
                  there,
                  there,
                  folder));
      var signal = new StopSignal();
      signal.raise();

      Invocation serve =
          Invocation.of(
              signal, "serve", "-c", file.toString(), "--http", "0", "--resp", "localhost:0");

      assertThat(serve.code()).as(serve.err()).isZero();
      assertThat(serve.out()).contains("http://127.0.0.1:", "localhost:").doesNotContain(there);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--http, 99999, the port must be a whole number from 0 to 65535",
    "--grpc, ::1, must be host:port",
    "--resp, localhost, must be host:port",
    "--resp, -1, must be host:port",
  })
  void serve_invalidAddress_isWrongUsage(String option, String value, String problem) {
    Invocation serve = Invocation.of("serve", option + "=" + value);

    assertThat(serve.code()).isEqualTo(ExitCode.WRONG_USAGE);
    assertThat(serve.out()).isEmpty();
    assertThat(serve.err()).contains("'" + option + "': '" + value + "'", problem);
  }

  @Test
  void serve_addressThatOthersReachWithoutProtection_isRefusedAsInAFile() {
    Invocation serve = Invocation.of("serve", "--http", "0.0.0.0:0");

    assertThat(serve.code()).isEqualTo(ExitCode.NEGATIVE);
    assertThat(serve.err()).contains("--http: server.http", "the server was not started");
  }

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("heatshield.yaml"), text);
  }
}
