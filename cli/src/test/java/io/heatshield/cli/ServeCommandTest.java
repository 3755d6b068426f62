package io.heatshield.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServeCommandTest {
  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private Path folder;

  @Test
  void serve_signalRaised_saysWhereItListensAndEndsFine() throws IOException {
    Path file = write("server: { http: '127.0.0.1:0', resp: '127.0.0.1:0', state_dir: '" + folder + "' }\n");
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

    assertThat(serve.code()).isEqualTo(ExitCode.NO);
    assertThat(serve.out()).isEmpty();
    assertThat(serve.err()).contains(file + ":1: ", file + ":2: ", "nothing was started");
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

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("heatshield.yaml"), text);
  }
}
