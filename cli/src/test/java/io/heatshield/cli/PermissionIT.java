package io.heatshield.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.heatshield.cli.process.ExitCode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that the user may not read; where root runs the tests, another user runs the command. */
class PermissionIT {
  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {"check FILE", "serve --config FILE", "replay FILE", "hot --token-file FILE"})
  void run_unreadableFile_cannotRunWithTheReason(String line) throws Exception {
    Path jar = Files.copy(Path.of(System.getProperty("heatshield.jar")), folder.resolve("h.jar"));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path file = Files.writeString(folder.resolve("secret.yaml"), "text");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
    var command = new ArrayList<String>();
    if (Files.isReadable(file)) {
      assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "there is no setpriv here");
      command.addAll(
          List.of("/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-jar", jar.toString()));
    Arrays.stream(line.split(" "))
        .map(word -> word.equals("FILE") ? file.toString() : word)
        .forEach(command::add);

    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(out).isEqualTo(ExitCode.CANNOT_RUN);
    assertThat(out).isEqualToNormalizingNewlines("heatshield: " + file + ": permission denied\n");
  }
}
